import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { uninstallEntry } from './change.js';
import { jsonFormat } from './json-format.js';
import { documentsWith } from '../../../test/cli/jsonc-documents.js';
import { runs } from '../../../test/deep.js';

const PLACE = { container: 'mcpServers', name: 'tenacitty' };
const ENTRY = { command: '/usr/bin/node', args: ['/opt/x y/main.js', 'mcp'] };
const put = (text: string, entry: Record<string, string | string[]> = ENTRY) => jsonFormat.put(text, PLACE, entry);
const remove = (text: string) => jsonFormat.remove(text, PLACE);
const said = (text: string) => parse(text, [], { allowTrailingComma: true }) as Record<string, object>;

describe('an added entry', () => {
  it('creates a document if there is none', () => {
    expect(put('')).toBe(
      '{\n  "mcpServers": {\n    "tenacitty": {\n      "command": "/usr/bin/node",\n      "args": [\n        "/opt/x y/main.js",\n        "mcp"\n      ]\n    }\n  }\n}\n',
    );
  });

  it('follows comments on lines of their own', () => {
    expect(put('// mine')).toBe(`// mine\n${put('')}`);
  });

  it('is formatted like the document: tabs, line endings, one line each', () => {
    const text = '{\r\n\t"mcpServers": {\r\n\t\t"a": {}\r\n\t}\r\n}';
    expect(put(text, { command: 'x', args: [] })).toBe(
      '{\r\n\t"mcpServers": {\r\n\t\t"tenacitty": {\r\n\t\t\t"command": "x",\r\n\t\t\t"args": []\r\n\t\t},\r\n\t\t"a": {}\r\n\t}\r\n}',
    );
  });

  it('stays on one line if everything else is on one line', () => {
    expect(put('{"mcpServers":{"a":{}}}', { command: 'x' })).toBe(
      '{"mcpServers":{"tenacitty": {"command":"x"},"a":{}}}',
    );
    expect(put('{ "mcpServers": { "a": {} } }', { command: 'x' })).toBe(
      '{ "mcpServers": {"tenacitty": {"command":"x"}, "a": {} } }',
    );
  });

  it.each([
    ['{\n  "mcpServers": {}\n}', '{\n  "mcpServers": {\n    "tenacitty": {\n      "command": "x"\n    }\n  }\n}'],
    ['{\n  "mcpServers": { /* c */ }\n}', '{\n  "mcpServers": {"tenacitty": {"command":"x"} /* c */ }\n}'],
    ['{\n  "mcpServers": {\n  }\n}', '{\n  "mcpServers": {\n    "tenacitty": {\n      "command": "x"\n    }\n  }\n}'],
    [
      '{\n  "mcpServers": { // c\n  }\n}',
      '{\n  "mcpServers": {\n    "tenacitty": {\n      "command": "x"\n    } // c\n  }\n}',
    ],
  ])('is inserted into an empty object: %j', (text, expected) => expect(put(text, { command: 'x' })).toBe(expected));

  it('precedes a comment after the brace', () => {
    expect(put('{\n  "mcpServers": { // all of them\n    "a": 1\n  }\n}', { command: 'x' })).toBe(
      '{\n  "mcpServers": {\n    "tenacitty": {\n      "command": "x"\n    }, // all of them\n    "a": 1\n  }\n}',
    );
  });
});

describe('an existing entry', () => {
  const text = '{ "mcpServers": { "tenacitty": { "command": "old", /* why */ "args": ["mcp"], "env": {"A": "1"} } } }';

  it('is changed only where it differs', () => {
    expect(put(text, { command: 'new', args: ['mcp'] })).toBe(text.replace('"old"', '"new"'));
    expect(put(text, { command: 'old', args: ['mcp'] })).toBe(text);
  });

  it('gets missing values', () => {
    expect(jsonFormat.read(put(text, { type: 'stdio', command: 'old' }), PLACE)).toEqual({
      type: 'stdio',
      command: 'old',
      args: ['mcp'],
    });
  });

  it('is replaced if it is of another kind', () => {
    const remote = '{"mcpServers":{"tenacitty":{"url":"http://127.0.0.1:3001/mcp","headers":{}}}}';
    expect(said(put(remote))).toEqual({ mcpServers: { tenacitty: ENTRY } });
  });
});

describe('a removed entry', () => {
  it.each([
    ['the first', '{"mcpServers":{"tenacitty":{},"b":1}}', '{"mcpServers":{"b":1}}'],
    [
      'the last',
      '{\n"mcpServers": {\n  "b": 1, // one\n  "tenacitty": {}\n}}',
      '{\n"mcpServers": {\n  "b": 1 // one\n}}',
    ],
    ['the last with a comma', '{"mcpServers":{\n "b":1,\n "tenacitty":{},\n}}', '{"mcpServers":{\n "b":1,\n}}'],
    ['one between', '{"mcpServers":{\n "a":0,\n "tenacitty":{}, "b":1}}', '{"mcpServers":{\n "a":0,\n "b":1}}'],
    ['the only one', '{"mcpServers":{\n  "tenacitty": {},\n}}', '{"mcpServers":{\n}}'],
    ['one next to a comment', '{"mcpServers":{ // c\n  "tenacitty": {} , // d\n}}', '{"mcpServers":{ // c\n  // d\n}}'],
    ['one before a distant comma', '{"mcpServers":{"tenacitty":{}/*c*/ ,"b":1}}', '{"mcpServers":{/*c*/ "b":1}}'],
  ])('leaves other servers unchanged: %s', (_what, text, expected) => expect(remove(text)).toBe(expected));

  it('leaves a document without the entry unchanged', () => {
    for (const text of ['', '// c', '{}', '{"mcpServers":{"a":1}}']) expect(remove(text)).toBe(text);
  });
});

describe('an ambiguous document', () => {
  it.each([
    ['{"a": 1,, }', 1, 9, 'property name expected'],
    ['{\n  "a": [1\n}', 3, 1, 'comma expected'],
    ['{\n  "a": tru\n}', 2, 8, 'invalid symbol'],
    ['[]', 1, 1, 'not a JSON object'],
    ['{"mcpServers": []}', 1, 16, '"mcpServers" is not an object'],
    ['{"mcpServers": {"tenacitty": 1}}', 1, 30, '"tenacitty" is not an object'],
    ['{"mcpServers": {},\n "mcpServers": {}}', 2, 2, '"mcpServers" occurs twice'],
    ['{"mcpServers": {"tenacitty": {}, "tenacitty": {}}}', 1, 34, '"tenacitty" occurs twice'],
  ])('is refused with its position: %j', (text, line, column, message) => {
    for (const attempt of [put, remove, (broken: string) => jsonFormat.read(broken, PLACE)]) {
      expect(() => attempt(text)).toThrow(
        expect.objectContaining({
          name: 'UneditableConfig',
          place: { line, column },
          message: expect.stringContaining(message),
        }),
      );
    }
  });
});

describe('any document', () => {
  const documents = documentsWith('mcpServers', 'tenacitty');
  const hasServers = (text: string) => /[^{}]/.test(JSON.stringify(serversOf(text)) ?? '{}');
  const serversOf = (text: string) => said(text)['mcpServers'];

  it('has the same meaning apart from the entry', () => {
    fc.assert(
      fc.property(documents, (text) => {
        const after = put(text);
        const before = said(text);
        expect(said(after)).toEqual({
          ...before,
          mcpServers: { ...before['mcpServers'], tenacitty: ENTRY },
        });
        expect(put(after)).toBe(after);
      }),
      { numRuns: runs({ normal: 100, deep: 500 }) },
    );
  });

  it('changes by one insertion if it has servers', () => {
    fc.assert(
      fc.property(documents.filter(hasServers), (text) => {
        const after = put(text);
        const head = text.split('').findIndex((_character, index) => after[index] !== text[index]);
        expect(after.endsWith(text.slice(head))).toBe(true);
      }),
    );
  });

  /** jsonc-parser does not return properties of this name. */
  const withoutPrototype = (name: string, value: unknown) => (name === '__proto__' ? undefined : value);

  it('stays plain JSON, for clients that support nothing else', () => {
    const isPlain = (text: string) => !/\/[/*]|,\s*[\]}]/.test(text);
    fc.assert(
      fc.property(documents.filter(isPlain), (text) => {
        const after = put(text);
        expect(JSON.parse(after, withoutPrototype)).toEqual(said(after));
        expect(JSON.parse(remove(after), withoutPrototype)).toEqual(said(remove(after)));
      }),
    );
  });

  it('is restored when the entry is removed', () => {
    fc.assert(
      fc.property(documents, (text) => {
        const goal = { format: jsonFormat, place: PLACE, entry: ENTRY };
        const once = put(text);
        expect(uninstallEntry(once, goal, ['{"other": 1}', text])).toEqual({ outcome: 'removed', text });
        const changed = put(once, { command: 'npx', args: ['x'] });
        expect(uninstallEntry(changed, goal, [once, text])).toEqual({ outcome: 'removed', text });
      }),
      { numRuns: runs({ normal: 100, deep: 500 }) },
    );
  });

  it('is restored even without a backup if there are other servers; otherwise it has the same meaning', () => {
    fc.assert(
      fc.property(documents, (text) => {
        const back = remove(put(text));
        if (hasServers(text)) expect(back).toBe(text);
        else expect({ mcpServers: {}, ...said(back) }).toEqual({ mcpServers: {}, ...said(text) });
      }),
      { numRuns: runs({ normal: 200, deep: 1000 }) },
    );
  });
});
