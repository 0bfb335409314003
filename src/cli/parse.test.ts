import { command } from './command.js';
import { count, listed, toggle, valued } from './flag.js';
import { parse } from './parse.js';
import type { SettingFlag } from './parse.js';

const item = {
  valueName: 'X',
  expected: 'an x',
  doc: 'An x.',
  read: (text: string) => (/^x/.test(text) ? text : undefined),
};
const flags = {
  follow: toggle('Follows.', 'f'),
  tail: count('N', 'Tail.', 'n'),
  noEnter: toggle('None.'),
  x: listed(item),
};
const load = async () => () => {};
const given = { name: 'try', summary: 'Try', examples: [], flags, load };
const COMMAND = command({ ...given, operands: [{ name: 'ID' }, { name: 'REST', isMany: true, isOptional: true }] });
const WITH_PROGRAM = command({ ...given, flags: { ...flags, like: valued(item) }, program: 'optional' });
const BEHIND = command({ ...given, operands: [{ name: 'ID', isOptional: true }], program: 'behind' });
const SETTINGS: SettingFlag[] = [
  { name: '--data-dir', isSwitch: false },
  { name: '--trust-local', isSwitch: true },
];
const parsed = (...words: string[]) => parse(COMMAND, words, SETTINGS);

describe('parse', () => {
  it('reads flags before, between and after words, with values in both forms', () => {
    expect(parsed('-f', 'id', '--tail=5', 'more', '--x', 'x1', '--no-enter', '--x=x2')).toEqual({
      operands: ['id', 'more'],
      program: [],
      flags: { follow: true, tail: 5, noEnter: true, x: ['x1', 'x2'] },
      settings: [],
    });
  });

  it('reads joined short flags, and a value joined to the last of them', () => {
    expect(parsed('-n5', 'id')).toMatchObject({ operands: ['id'], flags: { tail: 5 } });
    expect(parsed('-fn', '5', 'id')).toMatchObject({ operands: ['id'], flags: { follow: true, tail: 5 } });
    expect(parsed('-fn5', 'id')).toMatchObject({ operands: ['id'], flags: { follow: true, tail: 5 } });
    expect(() => parsed('-fz', 'id')).toThrow('Unknown flag -z.');
    expect(() => parsed('-zf', 'id')).toThrow('Unknown flag -zf.');
    expect(() => parsed('-nf', 'id')).toThrow('-n: expected a whole number, given "f".');
  });

  it('uses defaults for omitted flags', () => {
    expect(parsed('id')).toMatchObject({ flags: { follow: false, tail: undefined, noEnter: false, x: [] } });
  });

  it('treats what follows -- as words, and - as a word', () => {
    expect(parsed('id', '-', '--', '--tail', '--')).toMatchObject({ operands: ['id', '-', '--tail', '--'] });
  });

  it('passes on flags that are settings', () => {
    const settings = ['--data-dir=/a', '--trust-local=true', '--data-dir=/b=c'];
    expect(parsed('--data-dir', '/a', 'id', '--trust-local', '--data-dir=/b=c')).toMatchObject({ settings });
    expect(parsed('id', '--trust-local', 'false')).toMatchObject({ settings: ['--trust-local=false'] });
  });

  it('passes everything after its name to a program', () => {
    const program = (...words: string[]) => parse(WITH_PROGRAM, words);
    expect(program('-f', 'ls', '-l', '--', '--help')).toMatchObject({ program: ['ls', '-l', '--', '--help'] });
    expect(program('--like', 'x', '--', '-strange', '-f')).toMatchObject({ program: ['-strange', '-f'] });
    expect(program('--help', 'ls')).toBe('help');
  });

  it('treats words as operands, and what follows -- as a program, where both are possible', () => {
    const behind = (...words: string[]) => parse(BEHIND, words);
    expect(behind('id', '-f')).toMatchObject({ operands: ['id'], program: [], flags: { follow: true } });
    expect(behind('id', '--', 'ls', '--', '-f')).toMatchObject({ operands: ['id'], program: ['ls', '--', '-f'] });
    expect(behind('--', '--help')).toMatchObject({ operands: [], program: ['--help'] });
    expect(behind('id', '--help')).toBe('help');
    expect(() => behind('id', 'more')).toThrow('Unexpected argument "more".');
  });

  it.each([
    [['id', '--nope']],
    [['id', '-z']],
    [[]],
    [['id', '--tail', '-1']],
    [['id', '--tail']],
    [['id', '--x', 'y']],
    [['id', '--follow=1']],
    [['id', '--data-dir']],
  ])('refuses %j, naming the command', (words) => {
    expect(() => parsed(...words)).toThrow('See tenacitty help try.');
  });
});
