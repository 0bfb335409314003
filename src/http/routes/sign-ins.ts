/** Routes of the page: signing in and out, listing sign-ins, and downloading output. */
import { z } from 'zod';
import { downloaded } from '../../calls/download.js';
import { resolveTerminalId } from '../../calls/terminal-id.js';
import { outputFormat } from '../../contract/output.js';
import { TerminalError } from '../../errors.js';
import { dataOf, done, FileAnswer, messageOf, ok, route } from '../route.js';

const MAX_CREDENTIAL_LENGTH = 200;
const credential = z.string().min(1).max(MAX_CREDENTIAL_LENGTH);

const create = route({
  method: 'post',
  path: '/api/sign-ins',
  name: 'signIn',
  tag: 'Sign-in',
  asked: 'sign-in',
  summary: 'Sign in',
  description:
    "Only for the server's own page: requires its exact `Origin`. Exchanges a code (`tenacitty open`) or an API key " +
    'for a cookie, which the response sets, and a proof. Later requests need both: the cookie, and the proof in the ' +
    '`X-Tenacitty-Proof` header or as the WebSocket subprotocol `tenacitty.proof.PROOF`. A sign-in ends after a week ' +
    'without use, after 30 days, or when its key is revoked or expires.',
  body: z
    .strictObject({
      code: credential.optional().describe('A one-time code.'),
      key: credential.optional().describe('An API key. Cannot be combined with `code`.'),
    })
    .refine(({ code, key }) => (code === undefined) !== (key === undefined), { error: 'give either `code` or `key`' }),
  status: 201,
  answer: dataOf(z.strictObject({ proof: z.string().describe('Returned only in this response.') })),
  example: {
    body: { code: '7KQ2-MXRA' },
    answer: { success: true, data: { proof: 'Zk3m8vQ0uY5c1bJ7wT2nR9xE4hL6dP8sA0gF3iK5oVw' } },
  },
  async handle({ body: { code, key }, signIn }) {
    return ok({ proof: await signIn(code === undefined ? { key: key! } : { code }) });
  },
});

const SIGN_IN = {
  id: '9f3c0a41d2',
  name: 'ada',
  browser: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  created: '2025-10-03T12:00:00.000Z',
  lastUsed: '2025-10-03T12:30:00.000Z',
  isCurrent: true,
};

const list = route({
  method: 'get',
  path: '/api/sign-ins',
  name: 'listSignIns',
  tag: 'Sign-in',
  summary: 'List sign-ins',
  description: "Lists active sign-ins, oldest first. Owners see everyone's; other callers see only their own.",
  answer: dataOf(
    z.strictObject({
      signIns: z.array(
        z.strictObject({
          id: z.string(),
          name: z.string().describe("Who signed in: the server's user, or the name of the key."),
          browser: z.string().describe('The `User-Agent` of the browser that signed in.'),
          created: z.iso.datetime(),
          lastUsed: z.iso.datetime().describe('Accurate to the minute.'),
          isCurrent: z.boolean().describe('Whether this request uses this sign-in.'),
        }),
      ),
    }),
  ),
  example: { answer: { success: true, data: { signIns: [SIGN_IN] } } },
  handle: ({ service, principal }) => ok({ signIns: service.signIns.shownTo(principal) }),
});

const ENDED = 'Signed out';

const endAll = route({
  method: 'delete',
  path: '/api/sign-ins',
  name: 'endAllSignIns',
  tag: 'Sign-in',
  summary: 'Sign out everywhere',
  description:
    "Ends all sign-ins of the caller's account (the server's user or the key) and, within a second, everything opened " +
    'with them. Programs keep running.',
  answer: messageOf(ENDED),
  example: { answer: { success: true, message: ENDED } },
  handle({ service, principal, clearCookie }) {
    service.signIns.endAllOf(principal);
    if (principal.signIn !== undefined) clearCookie();
    return done(ENDED);
  },
});

const end = route({
  method: 'delete',
  path: '/api/sign-ins/:signInId',
  name: 'endSignIn',
  tag: 'Sign-in',
  summary: 'Sign out',
  description:
    "Ends a sign-in and, within a second, everything opened with it. Programs keep running. If it is the caller's own, " +
    'the response also deletes the cookie.',
  params: z.strictObject({ signInId: z.string().describe('The id of the sign-in.') }),
  answer: messageOf(ENDED),
  errors: ['SIGN_IN_NOT_FOUND'],
  example: { answer: { success: true, message: ENDED } },
  handle({ params: { signInId }, service, principal, clearCookie }) {
    service.signIns.end(signInId, principal);
    if (principal.signIn?.id === signInId) clearCookie();
    return done(ENDED);
  },
});

const me = route({
  method: 'get',
  path: '/api/me',
  name: 'getMe',
  tag: 'Sign-in',
  summary: 'Find out who is calling',
  description: "Returns the caller's name and role, and the id of its sign-in, if any.",
  answer: dataOf(
    z.strictObject({
      signInId: z.string().nullable(),
      name: z.string(),
      role: z.enum(['owner', 'controller', 'viewer', 'guest']),
    }),
  ),
  example: { answer: { success: true, data: { signInId: SIGN_IN.id, name: 'ada', role: 'owner' } } },
  handle: ({ principal: { signIn, name, role } }) => ok({ signInId: signIn?.id ?? null, name, role }),
});

const TICKET = 'q1Hf8mVtB5cZ0yXr3uKw7nJ2eLd9sPa4gTi6oRbE1xk';

const ticket = route({
  method: 'post',
  path: '/api/download-tickets',
  name: 'createDownloadTicket',
  tag: 'Sign-in',
  action: 'view',
  summary: 'Create a download ticket',
  description: "Creates a ticket that lets the same caller download a terminal's output once, within 30 seconds.",
  body: z.strictObject({
    terminalId: z.string().describe('The id or name of the terminal.'),
    format: outputFormat.default('text'),
  }),
  status: 201,
  answer: dataOf(z.strictObject({ ticket: z.string() })),
  errors: ['TERMINAL_NOT_FOUND', 'HOST_UNRESPONSIVE', 'HOST_LOST', 'HOST_FAILED'],
  example: { body: { terminalId: 'abc-123', format: 'text' }, answer: { success: true, data: { ticket: TICKET } } },
  async handle({ body, service, principal }) {
    const { id } = await service.manager.get(await resolveTerminalId(service.manager, body.terminalId));
    return ok({ ticket: service.tickets.create(principal, { terminalId: id, format: body.format }) });
  },
});

const FILE_TYPE = 'application/octet-stream';

const download = route({
  method: 'post',
  path: '/api/downloads',
  name: 'download',
  tag: 'Sign-in',
  asked: 'ticket',
  takesForm: true,
  action: 'view',
  summary: 'Download output',
  description:
    'Returns all retained output of a terminal as a file, for use in an HTML form. The ticket replaces the proof, so ' +
    'that no URL or log contains a secret.',
  body: z.strictObject({ ticket: z.string() }),
  bytes: FILE_TYPE,
  answer: z.string(),
  errors: ['TERMINAL_NOT_FOUND', 'HOST_UNRESPONSIVE', 'HOST_LOST', 'HOST_FAILED', 'READ_FAILED'],
  mediaType: FILE_TYPE,
  example: { body: { ticket: TICKET }, answer: '…\nready in 300 ms\n' },
  async handle({ body, service, principal }) {
    const asked = service.tickets.redeem(principal, body.ticket);
    if (!asked) throw new TerminalError('UNAUTHORIZED', 'This download has expired; start it again on the page.');
    const { terminalId, format } = asked;
    const { name } = await service.manager.get(terminalId);
    const extension = { text: 'txt', ansi: 'ansi', raw: 'raw' }[format];
    const pieces = downloaded(service.manager, terminalId, format);
    return new FileAnswer(`${name ?? `terminal-${terminalId.slice(0, 8)}`}.${extension}`, FILE_TYPE, pieces);
  },
});

export const signInRoutes = [create, list, end, endAll, me, ticket, download];
