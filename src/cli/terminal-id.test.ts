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
});
const TERMINALS = ['abcdefgh-1', 'abcdefgh-2', 'abcd', 'xyz12345'].map(terminal);

it('finds a terminal by its id, though others begin so too, and by a beginning', () => {
  expect(pickTerminal(TERMINALS, 'abcd').id).toBe('abcd');
  expect(pickTerminal(TERMINALS, 'abcdefgh-2').id).toBe('abcdefgh-2');
  expect(pickTerminal(TERMINALS, 'xyz1').id).toBe('xyz12345');
});

it('lists the candidates of a beginning that more than one has', () => {
  expect(() => pickTerminal(TERMINALS, 'abcde')).toThrow(
    '2 terminals have an id that starts with abcde:\n  abcdefgh-1  active  /bin/sh\n  abcdefgh-2  active  /bin/sh',
  );
});

it.each(['xyz', 'abcdefgh-3', ''])('does not find %j', (given) => {
  expect(() => pickTerminal(TERMINALS, given)).toThrow(`There is no terminal "${given}"`);
});

it('shortens ids as far as they can be told apart', () => {
  expect([...shortIds(TERMINALS.map(({ id }) => id)).values()]).toEqual([
    'abcdefgh-1',
    'abcdefgh-2',
    'abcd',
    'xyz12345',
  ]);
});
