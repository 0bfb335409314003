/** Reading the arguments of a call: what counts as absent, and error messages that name the field. */
import { readArguments } from './arguments.js';

it.each(['READ', 'read', 'Read'])('accepts the action %s in any case', (action) => {
  expect(readArguments({ action })).toEqual({ action: 'READ', args: {} });
});

it('treats missing, null and empty values as not given', () => {
  const given = { action: '', id: '', terminal: null, within: '', pattern: '', signal: null, command: 'true' };
  expect(readArguments(given)).toEqual({ action: 'EXEC', args: { command: 'true' } });
});

it('accepts numbers and booleans given as text', () => {
  const given = { command: '5', terminal: '0', await_completion_ms: '5000', tail: ' 20.0 ', clear: 'False', text: '' };
  const args = { command: '5', terminal: 0, await_completion_ms: 5000, tail: 20, clear: false, text: '' };
  expect(readArguments(given)).toEqual({ action: 'EXEC', args });
  for (const port of ['0', 'any', true]) expect(readArguments({ action: 'WAIT', port }).args).toEqual({ port: 0 });
  const wait = { action: 'WAIT', pattern: '8080', regex: 'true' };
  expect(readArguments(wait).args).toEqual({ pattern: '8080', regex: true });
});

it.each(['KILL', 'SIGNAL', 'INPUT', 'kill'])('does not take an empty id as terminal 0 in %s', (action) => {
  expect(() => readArguments({ action, id: '' })).toThrow(/^id: is empty; expected a terminal number/);
  expect(readArguments({ action, id: '', terminal: 0 }).args).toEqual({ terminal: 0 });
});

it('accepts no terminal together with an id, except for the default that some clients fill in', () => {
  const given = { action: 'READ', id: 'web' };
  expect(() => readArguments({ ...given, terminal: 1 })).toThrow(
    /^terminal: has no effect with id; give only one of them/,
  );
  expect(readArguments({ ...given, terminal: 0 }).args).toEqual({ id: 'web', terminal: 0 });
});

it('reports one issue for a number that is far too large', () => {
  expect(() => readArguments({ await_completion_ms: 1e18 })).toThrow(
    /^await_completion_ms: expected at most 3600000, given 1000000000000000000$/,
  );
});

it('keeps an empty text where it has a meaning', () => {
  expect(readArguments({ action: 'INPUT', text: '' }).args).toEqual({ text: '' });
});

it.each([
  [{ action: 'FLY' }, /^action: expected one of EXEC, .*given "FLY"/],
  [{ action: 5 }, /^action: .*given 5/],
  [{ terminal: 'zero' }, /^terminal: expected a number, given "zero"/],
  [{ terminal: '-1' }, /^terminal: expected at least 0, given -1/],
  [{ terminal: '' }, /^terminal: expected a number, given ""/],
  [{ clear: 'no' }, /^clear: expected true or false, given "no"/],
  [{ terminal: 1e20 }, /^terminal: expected at most/],
  [{ terminal: 0.5 }, /^terminal: expected a whole number/],
  [{ command: 'a\0b' }, /^command: expected text without a NUL/],
  [{ command: 'x'.repeat(5 << 20) }, /^command: expected at most 1048576 characters/],
  [{ id: '../etc', action: 'READ' }, /^id: expected the id or the name of a terminal: 1 to 64 letters/],
  [{ within: true }, /^within: expected one of auto/],
  [{ keys: 'ctrl-c', action: 'INPUT' }, /^keys: expected an array/],
  [{ comand: 'ls' }, /^comand: is unknown;.*Did you mean command\?/],
  [{ cmd: 'ls' }, /^cmd: is unknown;.*Did you mean command\?/],
  [{ command: 'ls', action: 'READ' }, /^command: is for action EXEC, not for READ/],
  ['ls', /^the argument: expected/],
  [undefined, /^the argument: expected/],
])('describes the problem with %j', (given, message) => {
  expect(() => readArguments(given)).toThrow(message);
});

it('reports issues briefly, however much was given', () => {
  let said = '';
  try {
    readArguments({ command: 'x'.repeat(5 << 20) });
  } catch (error) {
    said = (error as Error).message;
  }
  expect(said.length).toBeGreaterThan(0);
  expect(said.length).toBeLessThan(300);
});
