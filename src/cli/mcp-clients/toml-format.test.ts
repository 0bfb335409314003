import fc from 'fast-check';
import { parse } from 'smol-toml';
import { uninstallEntry } from './change.js';
import { tomlFormat } from './toml-format.js';
import { runs } from '../../../test/deep.js';

const PLACE = { container: 'mcp_servers', name: 'tenacitty' };
const ENTRY = { command: '/usr/bin/node', args: ['/opt/x y/main.js', 'mcp'] };
const BLOCK = '[mcp_servers.tenacitty]\ncommand = "/usr/bin/node"\nargs = [ "/opt/x y/main.js", "mcp" ]\n';
const put = (text: string, entry: Record<string, string | number | string[]> = ENTRY) =>
  tomlFormat.put(text, PLACE, entry);
const remove = (text: string) => tomlFormat.remove(text, PLACE);
const read = (text: string) => tomlFormat.read(text, PLACE);

describe('an added table', () => {
  it.each([
    ['', BLOCK],
    ['model = "o3"\n', `model = "o3"\n\n${BLOCK}`],
    ['model = "o3"', `model = "o3"\n\n${BLOCK}`],
    ['a = 1\r\n', `a = 1\r\n\r\n${BLOCK.replaceAll('\n', '\r\n')}`],
  ])('is appended at the end: %j', (text, expected) => {
    expect(put(text)).toBe(expected);
    expect(read(expected)).toEqual(ENTRY);
  });

  it('is quoted where necessary', () => {
    const entry = { command: 'C:\\x "y"\x7f', args: [] };
    expect(put('', entry)).toBe('[mcp_servers.tenacitty]\ncommand = "C:\\\\x \\"y\\"\\u007f"\nargs = []\n');
    expect(read(put('', entry))).toEqual(entry);
  });
});

describe('an existing table', () => {
  const text = `[mcp_servers.tenacitty]\ncommand = 'old' # why\nenabled = true\nargs = [\n  "mcp", # one\n]\n[x]\n`;

  it('is changed only where it differs', () => {
    expect(put(text, { command: 'new' })).toBe(text.replace("'old'", '"new"'));
    expect(put(text, { command: 'old' })).toBe(text);
    expect(put(text, { command: 'old', startup_timeout_sec: 60 })).toBe(
      text.replace(']\n', ']\nstartup_timeout_sec = 60\n'),
    );
    expect(read(put(text))).toEqual(ENTRY);
  });

  it('is recognised even without a line ending after it', () => {
    expect(put('[mcp_servers.tenacitty]', { command: 'x' })).toBe('[mcp_servers.tenacitty]\ncommand = "x"\n');
    expect(read('[ mcp_servers . "tenacitty" ]\ncommand="x"')).toEqual({ command: 'x' });
  });

  it('is not found in a string, a comment or an array that looks like it', () => {
    for (const other of [
      'a = """\n[mcp_servers.tenacitty]\n"""\n',
      "a = '''\n[mcp_servers.tenacitty]\n'''\n",
      '# [mcp_servers.tenacitty]\n',
      'a = [\n[\n"mcp_servers.tenacitty"]\n]\n',
      '[mcp_servers.tenacitty2]\ncommand = "x"\n[tenacitty]\n',
    ]) {
      expect(read(other)).toBeUndefined();
      expect(remove(put(other))).toBe(other);
    }
  });
});

describe('removing a table', () => {
  it('removes its subtables and the empty line before it', () => {
    const text = `a = 1\n\n${BLOCK}# of its environment\n[mcp_servers.tenacitty.env]\nA = "1"\n\n# other\n[other]\nb = 1\n`;
    expect(remove(text)).toBe('a = 1\n\n# other\n[other]\nb = 1\n');
  });

  it('keeps tables of others between them', () => {
    const text = `${BLOCK}\n[other]\nb = 1\n\n[mcp_servers.tenacitty.env]\nA = "1"\n[last]\n`;
    expect(remove(text)).toBe('\n[other]\nb = 1\n[last]\n');
  });
});

describe('an ambiguous text', () => {
  it.each([
    ['[mcp_servers.tenacitty]\n[a]\n[mcp_servers.tenacitty]\n', 3, 2, 'redefine'],
    ['[mcp_servers\n', 1, 13, 'illegal character in key'],
    ['[]\n', 1, 2, 'unexpected end of key'],
    ['a\n', 1, 2, 'illegal character in key'],
    ['a = \n', 1, 5, 'invalid value'],
    ['a = "x\n', 1, 7, 'control characters are not allowed in strings'],
    ['a = [1\n', 2, 1, 'expected comma or end of structure'],
    ['a = [1}\n', 1, 7, 'illegal character in numeric literal'],
    ['[a] b\n', 1, 5, 'must be followed by an end-of-line'],
    ['a = """\nx', 1, 5, 'unfinished string'],
  ])('is refused with its position: %j', (text, line, column, message) => {
    for (const attempt of [put, remove, read]) {
      expect(() => attempt(text)).toThrow(
        expect.objectContaining({
          name: 'UneditableConfig',
          place: { line, column },
          message: expect.stringContaining(message),
        }),
      );
    }
  });

  it.each([
    'mcp_servers = { tenacitty = { command = "x" } }',
    'a = 1\n[mcp_servers]\ntenacitty = { command = "x" }',
    '[mcp_servers]\ntenacitty.command = "x"',
  ])('is left unchanged if it is not a table of its own: %j', (text) => {
    expect(read(text)).toEqual({ command: 'x' });
    expect(put(text, { command: 'x' })).toBe(text);
    for (const attempt of [put, remove]) expect(() => attempt(text)).toThrow(/is written in a way/);
  });

  it.each([
    '[[mcp_servers]]\na = 1',
    '[[mcp_servers.tenacitty]]\na = 1',
    'mcp_servers = 1',
    'mcp_servers.tenacitty = 1',
  ])('cannot hold an entry: %j', (text) => {
    expect(read(text)).toBeUndefined();
    expect(() => put(text)).toThrow(/is written in a way/);
  });
});

describe('any text', () => {
  const key = fc.constantFrom('a', 'b-c', '"d e"', "'f'", 'g.h', 'a . "i"');
  const value = fc.constantFrom(
    ...['1', 'true', '1979-05-27 07:32:00', '"x # y"', "'''\n[mcp_servers.tenacitty]\n'''", '"""a\\"""" # "', '[]'],
    ...['[ "a", # b ]\n  { c = ["d"] },\n]', '{ a = 1, b = "]" }', '"""""two quotes"""""', '0xdead_beef'],
  );
  const line = fc.oneof(
    fc.tuple(key, value).map(([name, what]) => `${name} = ${what}`),
    fc.tuple(key, value).map(([name, what]) => `  ${name}=${what}  # note`),
    key.map((name) => `[${name}]`),
    key.map((name) => `[mcp_servers.other-${name.replaceAll(/[^a-z]/g, '')}] # "note`),
    key.map((name) => `[[ ${name} ]]`),
    fc.constantFrom('', '   ', '# note', '\t# [mcp_servers.tenacitty]'),
  );
  const texts = fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
    .map(([lines, end, isEnded]) => (lines.join('\n') + (isEnded ? '\n' : '')).replaceAll('\n', end))
    .filter(isToml);

  it('is restored when the entry is removed', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const after = put(text);
        expect(read(after)).toEqual(ENTRY);
        expect(put(after)).toBe(after);
        expect(after.startsWith(text)).toBe(true);
        const goal = { format: tomlFormat, place: PLACE, entry: ENTRY };
        expect(uninstallEntry(after, goal, ['z = 1', text])).toEqual({ outcome: 'removed', text });
        if (text.endsWith('\n')) expect(remove(after)).toBe(text);
      }),
      { numRuns: runs({ normal: 200, deep: 1000 }) },
    );
  });
});

function isToml(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
