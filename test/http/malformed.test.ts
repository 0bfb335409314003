/**
 * Tests malformed requests that no regular client sends: each is rejected in the specified format, and the server works
 * afterwards.
 */
import type { ErrorCode } from '../../src/errors.js';
import { checkError } from './documented.js';
import { jsonRequest, requestText, sendRaw } from './raw-request.js';
import { MAX_BODY_BYTES, startServer, type ServerUnderTest } from './server-under-test.js';

let server: ServerUnderTest;
let id: string;
beforeAll(async () => {
  server = await startServer();
  id = await server.api.create();
});
afterAll(() => server.stop());

const TERMINALS = '/api/terminals';
/** Replaced by the id of an existing terminal. */
const INPUT = '/api/terminals/ID/input';
const OUTPUT = '/api/terminals/ID/output';
const HUGE = 'x'.repeat(MAX_BODY_BYTES + 1);
const BRACKETS = 30_000;

type Bytes = (port: number) => Buffer;
type Case = readonly [title: string, bytes: Bytes, status: number, code: ErrorCode];

const json =
  (method: string, target: string, body: string | Buffer, headers = {}): Bytes =>
  (port) =>
    jsonRequest(port, method, target.replace('ID', id), body, headers);
const plain =
  (method: string, target: string, headers: Record<string, string> = {}, body = ''): Bytes =>
  (port) =>
    requestText(port, method, target.replace('ID', id), { headers, body });
const bytes =
  (text: string): Bytes =>
  (port) =>
    Buffer.from(text.replace('HOST', `127.0.0.1:${port}`), 'latin1');

const refusedBody = (title: string, body: string | Buffer): Case => [
  `a body that is ${title}`,
  json('POST', TERMINALS, body),
  400,
  'INVALID_INPUT',
];

const BODIES: Case[] = [
  refusedBody('cut off', '{"cwd": "/'),
  refusedBody('cut off after a key', '{"cwd":'),
  refusedBody('null', 'null'),
  refusedBody('an array', '[]'),
  refusedBody('an array of terminals', '[{"cwd":"/"}]'),
  refusedBody('a string', '"bash"'),
  refusedBody('a number', '42'),
  refusedBody('true', 'true'),
  refusedBody('only blanks', '   '),
  refusedBody('two values', '{} {}'),
  refusedBody('JavaScript', "{cwd: '/'}"),
  refusedBody('JSON with a comment', '{"cwd": "/" /* here */}'),
  refusedBody('JSON with a trailing comma', '{"cwd": "/",}'),
  refusedBody('a form', 'cwd=/tmp'),
  refusedBody('JSON with a key twice', '{"cwd": "/", "cwd": "/tmp"}'),
  refusedBody('JSON with a key twice, once escaped', '{"cwd": "/", "\\u0063wd": "/tmp"}'),
  refusedBody('JSON with a key twice in an inner object', '{"env": {"A": "1", "A": "2"}}'),
  refusedBody('an attack on the prototype', '{"__proto__": {"cwd": "/"}}'),
  refusedBody('an attack on an inner prototype', '{"env": {"__proto__": "x"}}'),
  refusedBody('an attack on the constructor', '{"constructor": {"prototype": {}}}'),
  refusedBody('not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  refusedBody('UTF-16', Buffer.from('{"cwd":"/"}', 'utf16le')),
  refusedBody('a bomb of arrays', '['.repeat(BRACKETS) + ']'.repeat(BRACKETS)),
  refusedBody('a bomb of objects', '{"a":'.repeat(BRACKETS / 3)),
  refusedBody('a raw line break in a string', '{"cwd": "/\n"}'),
];

const FIELDS: Case[] = [
  ['an unknown field', json('POST', TERMINALS, '{"cmd": "ls"}'), 400, 'INVALID_INPUT'],
  ['a field in the wrong case', json('POST', TERMINALS, '{"CWD": "/"}'), 400, 'INVALID_INPUT'],
  ['a number as text', json('POST', TERMINALS, '{"cols": "80"}'), 400, 'INVALID_INPUT'],
  ['a fraction of a column', json('POST', TERMINALS, '{"cols": 80.5}'), 400, 'INVALID_INPUT'],
  ['no columns', json('POST', TERMINALS, '{"cols": 0}'), 400, 'INVALID_INPUT'],
  ['too many columns', json('POST', TERMINALS, '{"cols": 1e9}'), 400, 'INVALID_INPUT'],
  ['null for a field', json('POST', TERMINALS, '{"cwd": null}'), 400, 'INVALID_INPUT'],
  ['an empty shell', json('POST', TERMINALS, '{"shell": ""}'), 400, 'INVALID_INPUT'],
  ['a NUL in a path', json('POST', TERMINALS, '{"cwd": "/tmp\\u0000/x"}'), 400, 'INVALID_INPUT'],
  ['an environment that is a list', json('POST', TERMINALS, '{"env": ["A=1"]}'), 400, 'INVALID_INPUT'],
  ['a number in the environment', json('POST', TERMINALS, '{"env": {"PORT": 3000}}'), 400, 'INVALID_INPUT'],
  ['a variable name with =', json('POST', TERMINALS, '{"env": {"A=B": "1"}}'), 400, 'INVALID_INPUT'],
  ['an empty variable name', json('POST', TERMINALS, '{"env": {"": "1"}}'), 400, 'INVALID_INPUT'],
  ['a shell and a command', json('POST', TERMINALS, '{"shell": "sh", "command": "ls"}'), 400, 'INVALID_INPUT'],
  ['arguments that are a string', json('POST', TERMINALS, '{"command": "ls", "args": "-l"}'), 400, 'INVALID_INPUT'],
  ['missing input', json('POST', INPUT, '{}'), 400, 'INVALID_INPUT'],
  ['input without a body', plain('POST', INPUT), 400, 'INVALID_INPUT'],
  ['input that is a number', json('POST', INPUT, '{"input": 1}'), 400, 'INVALID_INPUT'],
  ['an unknown key', json('POST', INPUT, '{"keys": ["hyper-q"]}'), 400, 'INVALID_INPUT'],
  ['an unknown signal', json('POST', '/api/terminals/ID/signal', '{"signal": "SIGNOPE"}'), 400, 'INVALID_INPUT'],
  ['a signal by number', json('POST', '/api/terminals/ID/signal', '{"signal": 9}'), 400, 'INVALID_INPUT'],
  ['half a size', json('PUT', '/api/terminals/ID/size', '{"cols": 80}'), 400, 'INVALID_INPUT'],
  ['a grace of a year', json('DELETE', '/api/terminals/ID', '{"graceMs": 31536000000}'), 400, 'INVALID_INPUT'],
  ['a kill by SIGSTOP', json('DELETE', '/api/terminals/ID', '{"signal": "SIGSTOP"}'), 400, 'INVALID_INPUT'],
  ['an unexpected body', json('GET', TERMINALS, '{}'), 400, 'INVALID_INPUT'],
];

const query = (text: string): Case => [`the query ${text}`, plain('GET', `${OUTPUT}?${text}`), 400, 'INVALID_INPUT'];

const QUERIES: Case[] = [
  'since=1e3',
  'since=%205',
  'since=+5',
  'since=0x10',
  'since=1.5',
  'since=-1',
  'since=',
  'since',
  'since=NaN',
  'since=99999999999999999999',
  'since=1&since=2',
  'since[]=1',
  'since%00=1',
  'mode=FULL',
  'mode=',
  'mode=full&mode=tail',
  'maxLines=0',
  'tailLines=ten',
  'timeoutMs=3600001',
  'format=html',
  'unknown=1',
  'since=%zz',
  'cursor=%ff',
  '__proto__=1',
  'since=1&cursor=x',
].map(query);

const MEDIA: Case[] = [
  ['text', json('POST', TERMINALS, '{}', { 'Content-Type': 'text/plain' }), 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [
    'a form',
    plain('POST', TERMINALS, { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': '3' }, 'a=1'),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['no type', plain('POST', TERMINALS, { 'Content-Length': '2' }, '{}'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [
    'another charset',
    json('POST', TERMINALS, '{}', { 'Content-Type': 'application/json; charset=latin1' }),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'UTF-7',
    json('POST', TERMINALS, '{}', { 'Content-Type': 'application/json; charset=utf-7' }),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'a type with a valid beginning',
    json('POST', TERMINALS, '{}', { 'Content-Type': 'application/jsonp' }),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['compressed', json('POST', TERMINALS, '{}', { 'Content-Encoding': 'gzip' }), 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['too large', json('POST', INPUT, JSON.stringify({ input: HUGE })), 413, 'PAYLOAD_TOO_LARGE'],
  [
    'too large in chunks',
    plain(
      'POST',
      INPUT,
      { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
      `${HUGE.length.toString(16)}\r\n${HUGE}\r\n0\r\n\r\n`,
    ),
    413,
    'PAYLOAD_TOO_LARGE',
  ],
  [
    'declared as endless',
    plain('POST', INPUT, { 'Content-Type': 'application/json', 'Content-Length': '999999999999' }, '{"inp'),
    413,
    'PAYLOAD_TOO_LARGE',
  ],
];

const PATHS: Case[] = [
  ['an unknown route', plain('GET', '/api/nothing'), 404, 'ROUTE_NOT_FOUND'],
  ['a trailing slash', plain('GET', '/api/terminals/'), 404, 'ROUTE_NOT_FOUND'],
  ['a doubled slash', plain('GET', '//api/terminals'), 404, 'ROUTE_NOT_FOUND'],
  ['another case', plain('GET', '/API/terminals'), 404, 'ROUTE_NOT_FOUND'],
  ['a path out of the tree', plain('GET', '/docs/../../etc/passwd'), 404, 'ROUTE_NOT_FOUND'],
  ['an id that is a path', plain('GET', '/api/terminals/..%2F..%2Fetc'), 400, 'INVALID_INPUT'],
  ['an id with a NUL', plain('GET', '/api/terminals/a%00b'), 400, 'INVALID_INPUT'],
  ['an id that is too long', plain('GET', `/api/terminals/${'a'.repeat(65)}`), 400, 'INVALID_INPUT'],
  ['broken percent-encoding in an id', plain('GET', '/api/terminals/%zz'), 400, 'INVALID_INPUT'],
  ['broken percent-encoding elsewhere', plain('GET', '/%'), 400, 'INVALID_INPUT'],
  ['percent-encoding that is not UTF-8', plain('GET', '/api/terminals/%ff'), 400, 'INVALID_INPUT'],
  ['a fragment', plain('GET', '/docs#errors'), 400, 'INVALID_INPUT'],
  ['letters beyond ASCII', plain('GET', '/api/terminals/\xe9'), 400, 'INVALID_INPUT'],
  ['a wrong method', plain('PATCH', TERMINALS), 405, 'METHOD_NOT_ALLOWED'],
  ['a method of another route', plain('DELETE', TERMINALS), 405, 'METHOD_NOT_ALLOWED'],
  ['TRACE', plain('TRACE', '/healthz'), 405, 'METHOD_NOT_ALLOWED'],
  ['CONNECT', plain('CONNECT', 'example.org:443'), 405, 'METHOD_NOT_ALLOWED'],
];

const CONNECTIONS: Case[] = [
  ['data that is not HTTP', bytes('hello\r\n\r\n'), 400, 'INVALID_INPUT'],
  ['TLS to a plain port', bytes('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'), 400, 'INVALID_INPUT'],
  ['an unknown method', bytes('BREW /pot HTTP/1.1\r\nHost: HOST\r\n\r\n'), 400, 'INVALID_INPUT'],
  ['a header without a colon', bytes('GET / HTTP/1.1\r\nHost HOST\r\n\r\n'), 400, 'INVALID_INPUT'],
  ['a head that is too large', plain('GET', '/healthz', { 'X-Large': 'x'.repeat(20_000) }), 431, 'INVALID_INPUT'],
  ['a length that is not a number', plain('POST', TERMINALS, { 'Content-Length': 'ten' }), 400, 'INVALID_INPUT'],
  [
    'two lengths',
    bytes('POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'),
    400,
    'INVALID_INPUT',
  ],
  [
    'a length together with chunks',
    plain('POST', TERMINALS, { 'Content-Length': '2', 'Transfer-Encoding': 'chunked' }),
    400,
    'INVALID_INPUT',
  ],
  [
    'a chunk of no size',
    plain(
      'POST',
      INPUT,
      { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
      'zz\r\n{}\r\n0\r\n\r\n',
    ),
    400,
    'INVALID_INPUT',
  ],
  ['no Host', bytes('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'), 403, 'HOST_NOT_ALLOWED'],
  [
    'two Hosts',
    bytes('GET /healthz HTTP/1.1\r\nHost: HOST\r\nHost: evil.example\r\nConnection: close\r\n\r\n'),
    403,
    'HOST_NOT_ALLOWED',
  ],
  [
    'a target for a proxy',
    bytes('GET http://HOST/healthz HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n'),
    403,
    'HOST_NOT_ALLOWED',
  ],
  ['an unsupported expectation', plain('GET', '/nothing', { Expect: 'the-impossible' }), 404, 'ROUTE_NOT_FOUND'],
  [
    'an upgrade to a WebSocket',
    plain('GET', '/nothing', { Connection: 'Upgrade, close', Upgrade: 'websocket' }),
    404,
    'ROUTE_NOT_FOUND',
  ],
];

describe.each([
  ['an invalid body', BODIES],
  ['invalid fields', FIELDS],
  ['an invalid query', QUERIES],
  ['a body in the wrong wrapping:', MEDIA],
  ['a path or method that is not there:', PATHS],
  ['a connection that is not right:', CONNECTIONS],
])('refuses %s', (_group, cases) => {
  it.each(cases)('%s', async (_title, makeBytes, status, code) => {
    const answer = await sendRaw(server.port, makeBytes(server.port));
    expect([answer.status, checkError(undefined, answer)]).toEqual([status, code]);
    expect((await server.api.get('/healthz')).status).toBe(200);
  });
});

it('has created, ended and typed nothing because of these', async () => {
  const { createdTotal, inputBytesTotal, activeTerminals } = await server.manager.summary();
  expect({ createdTotal, inputBytesTotal, activeTerminals }).toEqual({
    createdTotal: 1,
    inputBytesTotal: 0,
    activeTerminals: 1,
  });
  expect(server.logLines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)).toEqual([]);
});

it('names what was given, what was expected, and the probable intention', async () => {
  const typo = await server.api.get('/api/terminal');
  expect(typo.body.error.message).toContain('Did you mean /api/terminals?');
  const field = await server.api.post(TERMINALS, { cwdd: '/' });
  expect(field.body.error.message).toContain('Did you mean cwd?');
  const wait = await server.api.post(`${TERMINALS}/abc/exec`, { command: 'true', waitMs: 1000 });
  expect(wait.body.error.message).toMatch(/^body\.waitMs: .* Did you mean timeoutMs\?$/);
  const place = await server.api.post('/api/exec', { command: 'true', shell: 'bash' });
  expect(place.body.error.message).toMatch(/^body\.shell: .* Did you mean terminal\.shell\?$/);
  const line = await server.api.post('/api/run', { command: 'ls -l /tmp' });
  expect(line.body.error.message).toMatch(
    /^command: .*; it contains spaces, .* give the arguments in `args`, or .*exec/,
  );
  const label = await server.api.get(TERMINALS, { label: 'project' });
  expect(label.body.error.message).toMatch(/^query\.label: expected NAME=VALUE: /);
  const two = await server.api.get(`${TERMINALS}/abc/search`, { pattern: 'x' });
  expect(two.body.error.message).toMatch(/maxMatches\. query\.text: give either/);
  const { body } = await server.api.post(TERMINALS, { cols: 'wide', rows: 5000 });
  expect(body.error.details.issues).toEqual([
    { field: 'body.cols', message: 'expected a number, given "wide"', given: 'wide', expected: 'a number' },
    { field: 'body.rows', message: 'expected at most 1000, given 5000', given: 5000, expected: 'at most 1000' },
  ]);
  const big = await server.api.post(TERMINALS, { cwd: HUGE });
  expect(big.body.error.details).toEqual({ limit: 'TENACITTY_MAX_BODY_BYTES', value: MAX_BODY_BYTES });
  const { headers } = await server.api.call('put', TERMINALS);
  expect(headers['allow']).toBe('POST, GET, HEAD, OPTIONS');
});
