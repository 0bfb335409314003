/** The command about hooks. Table entry only. */
import type { HookEventType } from '../../contract/hooks.js';
import { command } from '../command.js';
import { ON_FLAGS } from '../flags/hooks.js';

const EVENTS = ['ended', 'command', 'waiting', 'match', 'quiet'] as const satisfies readonly HookEventType[];

export const ON = command({
  name: 'on',
  summary: 'Call a URL or a command when something happens in terminals',
  description: [
    'EVENT is ended (the program of a terminal has ended), command (a command has ended), waiting (a program is ' +
      'waiting for input), match (--pattern was printed) or quiet (nothing was printed for the time given with ' +
      '--quiet). Without --id, --name and --label, the hook applies to all terminals, including those created later. ' +
      'Prints the id of the hook.',
    'A running server (tenacitty serve) notices the hook within a second and delivers its events. Events that ' +
      'occur while no server is running are delivered when one starts, and are marked as late. docs/hooks.md ' +
      'describes the events and their delivery.',
  ],
  operands: [{ name: 'EVENT', isOptional: true, isMany: true, choices: EVENTS }],
  flags: ON_FLAGS,
  apart: [
    ['url', 'exec'],
    ['list', 'remove'],
    ['remove', 'json'],
    ...(['url', 'exec', 'id', 'name', 'label', 'longerThan', 'failed', 'pattern', 'quiet', 'tail'] as const).flatMap(
      (flag) => [['list', flag] as const, ['remove', flag] as const],
    ),
  ],
  examples: [
    {
      line: `tenacitty on command --longer-than 1m --exec 'notify-send "$(jq -r .text)"'`,
      doc: 'a desktop notification for each long command',
    },
    { line: 'tenacitty on waiting --name web --url https://example.com/hook', doc: 'a webhook for each question' },
    { line: 'tenacitty on --list', doc: 'the hooks and what they have delivered' },
  ],
  load: async () => (await import('../commands/on.js')).on,
});
