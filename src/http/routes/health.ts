/** Routes about the server itself: health, readiness, metrics, and the description of its API. */
import { z } from 'zod';
import { TerminalError } from '../../errors.js';
import { docsPage } from '../docs/docs-page.js';
import { llmsText } from '../docs/llms.js';
import type { Service } from '../service.js';
import { openApi } from '../docs/openapi.js';
import { dataOf, ok, route, type Route } from '../route.js';

const problems = z.array(z.string()).describe('Current problems; normally empty.');

const health = route({
  method: 'get',
  path: '/api/health',
  name: 'getHealth',
  tag: 'Service',
  summary: 'Check health',
  description:
    'Reports health, uptime and the number of running terminals. If there is a problem, `status` is `degraded` and ' +
    '`problems` lists the causes; the HTTP status stays 200.',
  answer: dataOf(
    z.strictObject({
      status: z.enum(['healthy', 'degraded']),
      uptime: z.int().describe('Seconds since the server started.'),
      activeTerminals: z.int(),
      version: z.string(),
      place: z
        .string()
        .describe('Identifies the set of terminals; a command line with the same data directory has the same value.'),
      problems,
    }),
  ),
  example: {
    answer: {
      success: true,
      data: {
        status: 'healthy',
        uptime: 3600,
        activeTerminals: 5,
        version: '0.1.0',
        place: '0f3a9c25d1b7e864',
        problems: [],
      },
    },
  },
  async handle({ service }) {
    const { activeTerminals, problems: held } = await service.manager.summary();
    const { version, place } = service;
    const problems = [...held, ...Object.values(service.placeProblems()).filter((each) => each !== undefined)];
    const status = problems.length > 0 ? ('degraded' as const) : ('healthy' as const);
    return ok({ status, uptime: service.uptimeSeconds(), activeTerminals, version, place, problems });
  },
});

const alive = route({
  method: 'get',
  path: '/healthz',
  name: 'isAlive',
  tag: 'Service',
  summary: 'Check liveness',
  description: 'Liveness probe: responds as long as the process is running.',
  answer: dataOf(z.strictObject({ status: z.literal('alive') })),
  example: { answer: { success: true, data: { status: 'alive' } } },
  handle: () => ok({ status: 'alive' as const }),
});

const ready = route({
  method: 'get',
  path: '/readyz',
  name: 'isReady',
  tag: 'Service',
  summary: 'Check readiness',
  description: 'Readiness probe: returns 200 if terminals can be created, otherwise 503.',
  answer: dataOf(
    z.strictObject({
      status: z.literal('ready'),
      problems,
    }),
  ),
  errors: ['SHUTTING_DOWN', 'HOST_FAILED'],
  example: { answer: { success: true, data: { status: 'ready', problems: [] } } },
  async handle({ service }) {
    if (service.isClosing()) throw new TerminalError('SHUTTING_DOWN', 'The server is stopping and accepts no new work');
    const { terminals, keys } = service.placeProblems();
    if (terminals !== undefined) throw new TerminalError('HOST_FAILED', terminals);
    const { problems } = await service.manager.summary();
    return ok({ status: 'ready' as const, problems: [...problems, ...(keys === undefined ? [] : [keys])] });
  },
});

const metrics = route({
  method: 'get',
  path: '/metrics',
  name: 'getMetrics',
  tag: 'Service',
  summary: 'Read metrics',
  action: 'view',
  description: 'Returns metrics in the Prometheus text format.',
  mediaType: 'text/plain; version=0.0.4',
  answer: z.string(),
  example: { answer: '# HELP tenacitty_terminals …\ntenacitty_terminals{state="active"} 5\n' },
  handle: ({ service }) => service.metrics.text(service),
});

/**
 * Returns the routes that describe the API. `routes()` returns the whole table, including these routes, when a request
 * arrives.
 */
function descriptions(routes: () => readonly Route[]): Route[] {
  return [
    route({
      method: 'get',
      path: '/openapi.json',
      name: 'getOpenApi',
      tag: 'Service',
      summary: 'Read the OpenAPI document',
      description: 'Returns this API as OpenAPI 3.1, generated from the table that validates requests.',
      asked: 'docs',
      answer: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
      example: { answer: { openapi: '3.1.0', paths: {} } },
      handle: kept((service) => openApi(routes(), service)),
    }),
    route({
      method: 'get',
      path: '/docs',
      name: 'getDocs',
      tag: 'Service',
      summary: 'Read the documentation',
      description: 'Returns this reference as an HTML page without scripts.',
      mediaType: 'text/html',
      asked: 'docs',
      answer: z.string(),
      example: { answer: '<!doctype html>…' },
      handle: kept((service) => docsPage(routes(), service)),
    }),
    route({
      method: 'get',
      path: '/llms.txt',
      name: 'getLlmsText',
      tag: 'Service',
      summary: 'Read the guide for agents',
      description: 'Returns a short guide to this API for language models.',
      mediaType: 'text/plain',
      asked: 'docs',
      answer: z.string(),
      example: { answer: '# tenacitty\n…' },
      handle: kept((service) => llmsText(routes(), service)),
    }),
  ];
}

/** Builds a page once per server, because that takes tens of milliseconds, and any local user can request the page. */
function kept<Page>(make: (service: Service) => Page): (call: { readonly service: Service }) => Page {
  // Each request has its own service object, but all requests to a server share the metrics.
  const pages = new WeakMap<Service['metrics'], Page>();
  return ({ service }) => {
    const page = pages.get(service.metrics) ?? make(service);
    pages.set(service.metrics, page);
    return page;
  };
}

/**
 * Returns all routes about the server.
 *
 * @param routes - Returns the whole table of routes, which these routes describe.
 */
export function healthRoutes(routes: () => readonly Route[]): Route[] {
  return [health, alive, ready, metrics, ...descriptions(routes)];
}
