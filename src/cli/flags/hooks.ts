/** The flags of `on`. */
import { duration, label, listed, text, toggle } from '../flag.js';

const words = (valueName: string, doc: string) =>
  listed({ valueName, doc, expected: 'some text', read: (given: string) => given || undefined });

export const ON_FLAGS = {
  url: text('URL', 'Sends each event to this URL in a signed POST request.'),
  exec: text('CMD', 'Runs this command with sh, with the event as JSON on its stdin.'),
  id: words('ID', 'Only this terminal. Can be repeated for several terminals.'),
  name: words('NAME', 'Only terminals with this name. Can be repeated for several names.'),
  label: label('Only terminals with this label. Can be repeated to require several labels.'),
  longerThan: duration('command: only commands that ran for at least this long.'),
  failed: toggle('command: only commands that failed.'),
  pattern: text(
    'REGEX',
    'match: expression that the output must match (RE2 syntax: no backreferences, no look-around).',
  ),
  quiet: duration('quiet: how long the terminal must have printed nothing.'),
  tail: toggle('Includes the last 20 lines of output in each event. Default: no output.'),
  list: toggle('Lists the hooks, with what they have delivered and what failed.'),
  remove: text('HOOK', 'Removes the hook with this id.'),
  json: toggle('Prints JSON.'),
} as const;
