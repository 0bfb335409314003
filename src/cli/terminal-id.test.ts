import type { TerminalSummary } from '../contract/terminal.js';
import { pickTerminal, shortIds } from './terminal-id.js';

const terminal = (id: string): TerminalSummary => ({
  id,
  pid: 1,
  shell: '/bin/sh',
  cwd: '/',
  startCwd: '/',
  created: '',
  lastActivity: '',
  ...{ status: 'active', exitCode: null, signal: null, endedBy: null, name: null, labels: {}, lastCommand: null },
  createdBy: null,
});
const TERMINALS = ['abcdefgh-1', 'abcdefgh-2', 'abcd', 'xyz12345'].map(terminal);

it('finds a terminal by its id, even if other ids start with it, and by an unambiguous prefix', () => {
  expect(pickTerminal(TERMINALS, 'abcd').id).toBe('abcd');
  expect(pickTerminal(TERMINALS, 'abcdefgh-2').id).toBe('abcdefgh-2');
  expect(pickTerminal(TERMINALS, 'xyz1').id).toBe('xyz12345');
});

it('lists the candidates of an ambiguous prefix', () => {
  expect(() => pickTerminal(TERMINALS, 'abcde')).toThrow(
    '2 terminals have an id that starts with abcde:\n  abcdefgh-1  active  /bin/sh\n  abcdefgh-2  active  /bin/sh',
  );
});

it.each(['xyz', 'abcdefgh-3', ''])('does not find %j', (given) => {
  expect(() => pickTerminal(TERMINALS, given)).toThrow(`There is no terminal "${given}"`);
});

it('shortens ids as long as they remain distinct', () => {
  expect([...shortIds(TERMINALS.map(({ id }) => id)).values()]).toEqual([
    'abcdefgh-1',
    'abcdefgh-2',
    'abcd',
    'xyz12345',
  ]);
});
