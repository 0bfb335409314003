/** Generates the OpenAPI 3.1 document from the route table. Pure. */
import type { z } from 'zod';
import { ERROR_KINDS, type ErrorCode } from '../../errors.js';
import { EVENT_STREAM } from '../event-stream.js';
import { inlineSchema, namedSchema } from './json-schema.js';
import { streamText } from './reference.js';
import { IDEMPOTENCY_KEY } from '../routes/idempotent-request.js';
import { FORM_TYPE, JSON_TYPE } from '../body.js';
import { TAGS, TAG_DESCRIPTIONS, errorForm, errorsOf, type Fields, type Route } from '../route.js';
import type { Service } from '../service.js';

type Components = Record<string, unknown>;

/** Returns the document for these routes, which `GET /openapi.json` serves. */
export function openApi(routes: readonly Route[], service: Pick<Service, 'version' | 'url'>) {
  const schemas: Components = {};
  namedSchema(errorForm, 'output', schemas);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    (paths[templateOf(route.path)] ??= {})[route.method] = operationOf(route, schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'tenacitty',
      version: service.version,
      description: 'Persistent terminals over REST.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: service.url() }],
    tags: TAGS.map((name) => ({ name, description: TAG_DESCRIPTIONS[name] })),
    security: [{}, { bearer: [] }, { apiKey: [] }],
    paths,
    components: { schemas, securitySchemes: SECURITY_SCHEMES },
  };
}

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key, created with `npm run key -- create`.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key, in another header.' },
};

const KEY_PARAMETER = {
  name: IDEMPOTENCY_KEY,
  in: 'header',
  required: false,
  description:
    'A unique string for each request. A request that is repeated with the same string within ten minutes has no ' +
    'second effect. Cannot be used with a stream.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function operationOf(route: Route, schemas: Components) {
  const { name, tag, summary, description, body } = route;
  return {
    operationId: name,
    tags: [tag],
    summary,
    description,
    parameters: [
      ...parametersOf(route.params, 'path'),
      ...parametersOf(route.query, 'query'),
      ...(route.takesKey ? [KEY_PARAMETER] : []),
    ],
    ...(body ? { requestBody: requestBodyOf(route, body, schemas) } : {}),
    responses: { [route.status]: successOf(route, schemas), ...emptyAnswerOf(route), ...problemsOf(route) },
  };
}

function parametersOf(fields: Fields, place: 'path' | 'query') {
  const { properties = {} } = inlineSchema(fields, 'input');
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property as Record<string, unknown>;
    return { name, in: place, required: place === 'path', description, schema };
  });
}

function requestBodyOf({ example, takesForm }: Route, body: z.ZodType, schemas: Components) {
  const required = !body.safeParse({}).success;
  const schema = namedSchema(body, 'input', schemas);
  return { required, content: { [takesForm ? FORM_TYPE : JSON_TYPE]: { schema, example: example.body } } };
}

function successOf(route: Route, schemas: Components) {
  if (route.upgrade) return { description: `The connection is a WebSocket. ${route.description}` };
  const schema = namedSchema(route.answer, 'output', schemas);
  const answer = { [route.mediaType]: { schema, example: route.example.answer } };
  const hasBoth = route.stream !== undefined && route.mediaType !== EVENT_STREAM;
  const bytes = route.bytes === undefined ? {} : { [route.bytes]: { schema: { type: 'string', format: 'binary' } } };
  const description = hasBoth ? `Done. With \`Accept: ${EVENT_STREAM}\`, a stream of events instead.` : 'Done.';
  // Not under `content`: a generated client would have to tell the stream from the object in every response.
  const stream = hasBoth ? { 'x-event-stream': streamText(route) } : {};
  return { description, content: { ...answer, ...bytes }, ...stream };
}

/**
 * Returns the responses without a body: 204 of a stream that can be resumed after its last event, and 304 of a page
 * that the caller already has.
 */
function emptyAnswerOf({ method, stream, mediaType, asked }: Route) {
  if (asked === 'docs') return { 304: { description: 'The caller already has the text, as `If-None-Match` says.' } };
  const description = 'A stream was requested, and no event can follow the one that `Last-Event-ID` names.';
  return stream && method === 'get' && mediaType === JSON_TYPE ? { 204: { description } } : {};
}

/** Returns the error responses. Errors that share a status are listed in one response, each with its meaning. */
function problemsOf(route: Route) {
  const codes = errorsOf(route);
  const statuses = [...new Set(codes.map((code) => ERROR_KINDS[code].status))];
  return Object.fromEntries(
    statuses.map((status) => [status, problemOf(codes.filter((code) => ERROR_KINDS[code].status === status))]),
  );
}

function problemOf(codes: readonly ErrorCode[]) {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_KINDS[code].meaning}`).join('\n\n'),
    content: { [JSON_TYPE]: { schema: { $ref: '#/components/schemas/Error' } } },
  };
}
