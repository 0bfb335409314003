/** Tests how the managers check the options that a program passes to them. */
import { checkedOptions } from '../../src/check.js';

const KNOWN = {
  maxTerminals: 1,
  shell: '',
  isOn: true,
  directory: null,
  names: [],
  place: {},
  log: () => {},
  any: undefined,
};

it('returns valid options, without those that are undefined', () => {
  const given = { maxTerminals: 0, shell: 'sh', isOn: false, directory: '/a', names: ['a'], place: { A: 'b' }, any: 1 };
  expect(checkedOptions({ ...given, log: undefined }, KNOWN)).toStrictEqual(given);
  expect(checkedOptions({ directory: null, maxTerminals: Infinity }, KNOWN)).toEqual({
    ...{ directory: null, maxTerminals: Infinity },
  });
});

it.each([
  [{ maxTerminal: 1 }, 'engine.maxTerminal: unknown option. Did you mean maxTerminals?'],
  [{ constructor: 1 }, 'engine.constructor: unknown option.'],
  [{ maxTerminals: 'x' }, 'engine.maxTerminals: expected a number of at least 0, given "x"'],
  [{ maxTerminals: -1 }, 'engine.maxTerminals: expected a number of at least 0, given -1'],
  [{ maxTerminals: NaN }, 'engine.maxTerminals: expected a number of at least 0, given NaN'],
  [{ shell: null }, 'engine.shell: expected a string, given null'],
  [{ directory: 1 }, 'engine.directory: expected a string or null, given 1'],
  [{ names: 'a' }, 'engine.names: expected an array, given "a"'],
  [{ place: [] }, 'engine.place: expected an object, given object'],
  [{ log: true }, 'engine.log: expected a function, given boolean'],
])('refuses %j', (given, message) => expect(() => checkedOptions(given, KNOWN, 'engine.')).toThrow(message));

it('names every problem at once', () => {
  expect(() => checkedOptions({ isOff: true, shell: 1 }, KNOWN)).toThrow(/isOff.*shell/);
});
