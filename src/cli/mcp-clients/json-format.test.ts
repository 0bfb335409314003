import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { uninstalled } from './change.js';
import { jsonFormat } from './json-format.js';
import { documentsWith } from '../../../test/cli/jsonc-documents.js';

const PLACE = { container: 'mcpServers', name: 'tenacitty' };
const ENTRY = { command: '/usr/bin/node', args: ['/opt/x y/main.js', 'mcp'] };
const put = (text: string, entry: Record<string, string | string[]> = ENTRY) => jsonFormat.put(text, PLACE, entry);
const remove = (text: string) => jsonFormat.remove(text, PLACE);
const said = (text: string) => parse(text, [], { allowTrailingComma: true }) as Record<string, object>;

describe('what is added', () => {
  it('makes a document where there is none', () => {
    expect(put('')).toBe(
      '{\n  "mcpServers": {\n    "tenacitty": {\n      "command": "/usr/bin/node",\n      "args": [\n        "/opt/x y/main.js",\n        "mcp"\n      ]\n    }\n  }\n}\n',
    );
  });

  it('comes behind comments that stand alone', () => {
    expect(put('// mine')).toBe(`// mine\n${put('')}`);
  });

  it('is laid out as the document is: tabs, line ends, a line for each', () => {
    const text = '{\r\n\t"mcpServers": {\r\n\t\t"a": {}\r\n\t}\r\n}';
    expect(put(text, { command: 'x', args: [] })).toBe(
      '{\r\n\t"mcpServers": {\r\n\t\t"tenacitty": {\r\n\t\t\t"command": "x",\r\n\t\t\t"args": []\r\n\t\t},\r\n\t\t"a": {}\r\n\t}\r\n}',
    );
  });

  it('stays on the line where all is on one', () => {
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
  ])('has room in an empty object: %j', (text, expected) => expect(put(text, { command: 'x' })).toBe(expected));

  it('stands before a comment behind the brace', () => {
    expect(put('{\n  "mcpServers": { // all of them\n    "a": 1\n  }\n}', { command: 'x' })).toBe(
      '{\n  "mcpServers": {\n    "tenacitty": {\n      "command": "x"\n    }, // all of them\n    "a": 1\n  }\n}',
    );
  });
});

describe('what is there', () => {
  const text = '{ "mcpServers": { "tenacitty": { "command": "old", /* why */ "args": ["mcp"], "env": {"A": "1"} } } }';

  it('is changed in what differs and nothing else', () => {
    expect(put(text, { command: 'new', args: ['mcp'] })).toBe(text.replace('"old"', '"new"'));
    expect(put(text, { command: 'old', args: ['mcp'] })).toBe(text);
  });

  it('gets what it lacks', () => {
    expect(jsonFormat.read(put(text, { type: 'stdio', command: 'old' }), PLACE)).toEqual({
      type: 'stdio',
      command: 'old',
      args: ['mcp'],
    });
  });

  it('is exchanged where it is of another kind', () => {
    const remote = '{"mcpServers":{"tenacitty":{"url":"http://127.0.0.1:3001/mcp","headers":{}}}}';
    expect(said(put(remote))).toEqual({ mcpServers: { tenacitty: ENTRY } });
  });
});

describe('what is removed', () => {
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
    ['one beside a comment', '{"mcpServers":{ // c\n  "tenacitty": {} , // d\n}}', '{"mcpServers":{ // c\n  // d\n}}'],
    ['one before a distant comma', '{"mcpServers":{"tenacitty":{}/*c*/ ,"b":1}}', '{"mcpServers":{/*c*/ "b":1}}'],
  ])('leaves the others: %s', (_what, text, expected) => expect(remove(text)).toBe(expected));

  it('is nothing where there is none', () => {
    for (const text of ['', '// c', '{}', '{"mcpServers":{"a":1}}']) expect(remove(text)).toBe(text);
  });
});

describe('what is unclear', () => {
  it.each([
    ['{"a": 1,, }', 1, 9, 'property name expected'],
    ['{\n  "a": [1\n}', 3, 1, 'comma expected'],
    ['{\n  "a": tru\n}', 2, 8, 'invalid symbol'],
    ['[]', 1, 1, 'no JSON object'],
    ['{"mcpServers": []}', 1, 16, '"mcpServers" is no object'],
    ['{"mcpServers": {"tenacitty": 1}}', 1, 30, '"tenacitty" is no object'],
    ['{"mcpServers": {},\n "mcpServers": {}}', 2, 2, '"mcpServers" is there twice'],
    ['{"mcpServers": {"tenacitty": {}, "tenacitty": {}}}', 1, 34, '"tenacitty" is there twice'],
  ])('is refused with its place: %j', (text, line, column, message) => {
    for (const attempt of [put, remove, (broken: string) => jsonFormat.read(broken, PLACE)]) {
      expect(() => attempt(text)).toThrow(
        expect.objectContaining({
          name: 'Unclear',
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

  it('says the same with the entry beside', () => {
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
      { numRuns: 500 },
    );
  });

  it('changes by one insertion, where it has servers', () => {
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

  it('stays plain JSON where it was that, for clients that read nothing else', () => {
    const isPlain = (text: string) => !/\/[/*]|,\s*[\]}]/.test(text);
    fc.assert(
      fc.property(documents.filter(isPlain), (text) => {
        const after = put(text);
        expect(JSON.parse(after, withoutPrototype)).toEqual(said(after));
        expect(JSON.parse(remove(after), withoutPrototype)).toEqual(said(remove(after)));
      }),
    );
  });

  it('is what it was when the entry is out again', () => {
    fc.assert(
      fc.property(documents, (text) => {
        const goal = { format: jsonFormat, place: PLACE, entry: ENTRY };
        const once = put(text);
        expect(uninstalled(once, goal, ['{"other": 1}', text])).toEqual({ outcome: 'removed', text });
        const changed = put(once, { command: 'npx', args: ['x'] });
        expect(uninstalled(changed, goal, [once, text])).toEqual({ outcome: 'removed', text });
      }),
      { numRuns: 500 },
    );
  });

  it('is so even without a backup, where others are beside it; else it says the same', () => {
    fc.assert(
      fc.property(documents, (text) => {
        const back = remove(put(text));
        if (hasServers(text)) expect(back).toBe(text);
        else expect({ mcpServers: {}, ...said(back) }).toEqual({ mcpServers: {}, ...said(text) });
      }),
      { numRuns: 1000 },
    );
  });
});
