/** Tests the information that the server gives about itself, and the headers of all its answers. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { createHash } from 'node:crypto';
import supertest from 'supertest';
import { createKey } from '../../src/access/key-file.js';
import { createApp } from '../../src/http/app.js';
import { DownloadTickets } from '../../src/http/download-tickets.js';
import { Metrics, type HostFigures } from '../../src/http/metrics.js';
import { LinkAnswers } from '../../src/http/link-answers.js';
import { JSON_TYPE } from '../../src/http/body.js';
import { TAGS } from '../../src/http/route.js';
import { ROUTES } from '../../src/http/routes.js';
import { startServer, VERSION, type ServerUnderTest } from './server-under-test.js';

let server: ServerUnderTest;
beforeAll(async () => void (server = await startServer()));
afterAll(() => server.stop());
const api = () => server.api;

it('GET /api/health answers with the fields of the original specification, and current problems', async () => {
  await api().create();
  const { body } = await api().get('/api/health');
  expect(Object.keys(body.data)).toEqual(['status', 'uptime', 'activeTerminals', 'version', 'place', 'problems']);
  expect(body.data).toMatchObject({ status: 'healthy', version: VERSION, problems: [] });
  expect(body.data.activeTerminals).toBeGreaterThan(0);
});

it('GET /healthz and /readyz answer while the server runs', async () => {
  expect((await api().get('/healthz')).body).toEqual({ success: true, data: { status: 'alive' } });
  expect((await api().get('/readyz')).body).toEqual({ success: true, data: { status: 'ready', problems: [] } });
});

it('GET /readyz answers 503 while the server stops', async () => {
  const service = {
    ...server.deps,
    signIns: server.deps.gate.signIns,
    tickets: new DownloadTickets(),
    linkAnswers: new LinkAnswers(server.deps.manager),
    metrics: new Metrics(),
    hosts: async () => [],
    url: () => server.url,
    uptimeSeconds: () => 1,
    isClosing: () => true,
  };
  const app = createApp({ ...server.deps, routes: ROUTES, service, isTls: false, onExchange: () => undefined });
  const { status, body } = await supertest(app).get('/readyz');
  expect([status, body.error.code]).toEqual([503, 'SHUTTING_DOWN']);
});

describe('GET /metrics', () => {
  it('counts requests by route pattern, never by requested path', async () => {
    const id = await api().create();
    await api().get(`/api/terminals/${id}`);
    await api().get('/no/such/route?key=secret');
    const { text } = await api().get('/metrics');
    expect(text).toMatch(/_count\{method="GET",route="\/api\/terminals\/:terminalId",status="200"\} \d/);
    expect(text).toMatch(/_count\{method="GET",route="unmatched",status="404"\} \d/);
    expect(text).not.toContain(id);
    expect(text).not.toContain('secret');
  });

  it('reports terminals and bytes as the manager counts them', async () => {
    const { createdTotal, activeTerminals } = await server.manager.summary();
    const { text } = await api().get('/metrics');
    expect(text).toContain(`tenacitty_terminals_created_total ${createdTotal}`);
    expect(text).toContain(`tenacitty_terminals{state="active"} ${activeTerminals}`);
    expect(text).toMatch(/^tenacitty_output_bytes_total \d+$/m);
    expect(text).toMatch(/^tenacitty_input_bytes_total \d+$/m);
  });

  it('names the version and the start, and counts refused logins', async () => {
    await supertest(server.url).get('/api/terminals').set('X-API-Key', 'tty_wrong');
    const { text } = await api().get('/metrics');
    expect(text).toContain(`tenacitty_build_info{version="${VERSION}",node="${process.version}"} 1`);
    expect(text).toMatch(/^process_start_time_seconds 1\d{9}/m);
    expect(text).toMatch(/^tenacitty_refused_requests_total\{code="UNAUTHORIZED"\} [1-9]/m);
  });

  it('reports each host process, and forgets those that have exited', async () => {
    const load = { active: 3, memoryBytes: 5000 };
    const metrics = new Metrics();
    const textOf = (hosts: readonly HostFigures[]) =>
      metrics.text({ manager: server.manager, hosts: async () => hosts, version: VERSION });
    const text = await textOf([
      { slot: 0, load, responseMs: 20 },
      { slot: 1, load: null, responseMs: 5000 },
    ]);
    for (const line of ['up{host="0"} 1', 'up{host="1"} 0', 'terminals{host="0"} 3', 'memory_bytes{host="0"} 5000'])
      expect(text).toContain(`tenacitty_host_${line}\n`);
    expect(text).toContain('tenacitty_host_response_seconds{host="0"} 0.02\n');
    expect(text).not.toContain('terminals{host="1"}');
    expect(await textOf([])).not.toContain('{host=');
  });
});

describe('GET /openapi.json', () => {
  it('is a valid OpenAPI 3.1 document that contains every route', async () => {
    const { body } = await api().get('/openapi.json');
    expect(await new Validator().validate(structuredClone(body))).toEqual({ valid: true });
    const operations = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    const routes = ROUTES.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    expect(operations.sort()).toEqual(routes.sort());
  });

  it('does not require fields with a default, and guarantees them in answers', async () => {
    const { schemas } = (await api().get('/openapi.json')).body.components;
    expect(schemas.CreateTerminal.required ?? []).toEqual([]);
    expect(schemas.TerminalDetail.required).toContain('cols');
    expect(JSON.stringify(schemas)).not.toContain('$defs');
  });

  it('suits generated clients: no defaults in requests, and one type for each answer', async () => {
    const { paths, components } = (await api().get('/openapi.json')).body;
    expect(components.schemas.ExecCommand.properties.timeoutMs).not.toHaveProperty('default');
    expect(components.schemas.ExecCommand.properties.timeoutMs.description).toMatch(/Default: \d+/i);
    const { 201: answer } = paths['/api/exec'].post.responses;
    expect(Object.keys(answer.content)).toEqual(['application/json']);
    expect(answer['x-event-stream']).toContain('event: ');
    expect(Object.keys(paths['/api/events'].get.responses[200].content)).toEqual(['text/event-stream']);
  });
});

it('describes every group of routes', async () => {
  const { tags } = (await api().get('/openapi.json')).body as { tags: { name: string; description: string }[] };
  expect(tags.map(({ name }) => name)).toEqual(TAGS);
  for (const { description } of tags) expect(description).toMatch(/^[A-Z].*\.$/);
});

it('answers 406 where only a stream is accepted and there is none, and does nothing', async () => {
  const only = { headers: { Accept: 'text/event-stream' } };
  const refused = await api().call('post', '/api/terminals', { ...only, body: { name: 'never' } });
  expect([refused.status, refused.body.error.code]).toEqual([406, 'NOT_ACCEPTABLE']);
  expect(await server.manager.list({ name: 'never' })).toEqual([]);
  const either = { headers: { Accept: 'text/event-stream, application/json;q=0.5' } };
  expect((await api().call('get', '/api/health', either)).status).toBe(200);
  expect((await api().call('get', '/api/health', { headers: { Accept: 'image/webp' } })).status).toBe(200);
});

it('compresses long answers for callers that accept it, unless they are programs on this machine', async () => {
  const { key } = createKey(server.dataDir, 'remote');
  const id = await api().run('seq 5000');
  await api().ended(id);
  const encodingFor = async (path: string, headers: Record<string, string>) => {
    const { headers: got } = await api().call('get', path, { headers });
    return [got['content-encoding'], /accept-encoding/i.test(got['vary'] ?? '')];
  };
  const [long, remote] = [`/api/terminals/${id}/output`, { 'X-API-Key': key }];
  expect(await encodingFor(long, remote)).toEqual(['gzip', true]);
  expect(await encodingFor(long, { ...remote, 'Accept-Encoding': 'identity' })).toEqual([undefined, true]);
  expect(await encodingFor(long, { ...remote, 'Accept-Encoding': 'gzip;q=0' })).toEqual([undefined, true]);
  expect(await encodingFor('/healthz', remote)).toEqual([undefined, false]);
  expect(await encodingFor(long, {})).toEqual([undefined, false]);
});

it('GET /docs is one page without external resources, its style allowed by its hash', async () => {
  const { text, headers } = await api().get('/docs');
  const style = /<style>([^]*?)<\/style>/.exec(text)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers['content-security-policy']).toContain(`style-src 'sha256-${hash}'`);
  expect(text).not.toMatch(/<script|<link|<img|\son\w+=|style="/);
  for (const { name, path } of ROUTES) {
    expect(text).toContain(`<h3 id="${name}">`);
    expect(text).toContain(`<code>${path}</code>`);
  }
});

it('GET /llms.txt explains to an agent how to authenticate and what there is', async () => {
  const { text } = await api().get('/llms.txt');
  expect(text).toContain('Authorization: Bearer');
  expect(text).toContain(`POST ${server.url}/api/terminals`);
  for (const { method, path, summary } of ROUTES)
    expect(text).toContain(`- ${method.toUpperCase()} ${path}: ${summary}`);
});

it('gives every route an example that matches its own schemas', () => {
  for (const { name, query, body, answer, mediaType, example } of ROUTES) {
    expect([name, query.safeParse(example.query ?? {}).error]).toEqual([name, undefined]);
    if (body) expect([name, body.safeParse(example.body ?? {}).error]).toEqual([name, undefined]);
    if (mediaType === JSON_TYPE) expect([name, answer.safeParse(example.answer).error]).toEqual([name, undefined]);
  }
});

describe('headers', () => {
  it('protect every answer, including errors, and do not identify the software', async () => {
    for (const path of ['/api/health', '/docs', '/no/such/route']) {
      const { headers } = await supertest(server.url).get(path);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none';/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['cache-control']).toBe(path === '/docs' ? 'no-cache' : 'no-store');
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers).not.toHaveProperty('x-powered-by');
      expect(headers).not.toHaveProperty('strict-transport-security');
      expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
    }
  });

  it('of HEAD are those of GET, without a body', async () => {
    const get = await supertest(server.url).get('/healthz');
    const head = await supertest(server.url).head('/healthz');
    expect([head.status, head.headers['content-length'], head.text]).toEqual([
      200,
      get.headers['content-length'],
      undefined,
    ]);
  });

  it('of OPTIONS list the methods of a path', async () => {
    const { status, headers } = await supertest(server.url).options('/api/terminals/abc/output');
    expect([status, headers['allow']]).toEqual([204, 'GET, DELETE, HEAD, OPTIONS']);
  });

  it('lead to 304 only where the text does not change, and the caller already has it', async () => {
    expect((await supertest(server.url).get('/healthz').set('If-None-Match', '*')).status).toBe(200);
    for (const path of ['/openapi.json', '/docs', '/llms.txt']) {
      const { headers } = await supertest(server.url).get(path);
      const again = (tag: string) => supertest(server.url).get(path).set('If-None-Match', tag);
      expect(await again(`"other", ${headers['etag']}`)).toMatchObject({ status: 304, text: '' });
      expect(await again('"other"')).toMatchObject({ status: 200, headers: { etag: headers['etag'] } });
    }
  });
});

it('logs each request with its route and id, without contents', async () => {
  const id = await api().create();
  const { headers } = await api().post(`/api/terminals/${id}/input`, { input: 'echo very-secret' });
  await api().get(`/api/terminals/${id}/output`, { cursor: 'very-secret' });
  const log = server.logLines.join('');
  expect(log).not.toContain('very-secret');
  const line = server.logLines
    .map((each) => JSON.parse(each))
    .find(({ requestId }) => requestId === headers['x-request-id']);
  expect(line).toMatchObject({
    method: 'POST',
    route: '/api/terminals/:terminalId/input',
    status: 200,
    principal: 'local',
    ms: expect.any(Number),
  });
});
