/** Routes for hooks: creating, listing and removing them. These routes only translate between HTTP and the hooks. */
import { z } from 'zod';
import { createdHook, createHook, hookId, shownHook } from '../../contract/hooks.js';
import { dataOf, done, messageOf, ok, route } from '../route.js';

const HOOK_EXAMPLE = {
  id: '3f9c0a41d2',
  created: '2025-10-03T12:00:00.000Z',
  createdBy: 'ada',
  active: true,
  on: ['command', 'waiting'],
  filter: { names: ['web'] },
  url: 'https://example.com/tenacitty',
  longerThanMs: 60_000,
  state: { pending: 0, delivered: 0, failed: 0, lastDelivered: null, lastError: null },
};

const create = route({
  method: 'post',
  path: '/api/hooks',
  name: 'createHook',
  tag: 'Hooks',
  action: 'manage',
  summary: 'Create a hook',
  description:
    'Reports terminal events to `url`, or to the stdin of the `exec` command. Only this response contains the secret.',
  body: createHook,
  status: 201,
  answer: dataOf(createdHook),
  errors: ['FORBIDDEN', 'COMMAND_DENIED', 'LIMIT_REACHED'],
  example: {
    body: {
      on: ['command', 'waiting'],
      filter: { names: ['web'] },
      url: 'https://example.com/tenacitty',
      longerThanMs: 60_000,
    },
    answer: { success: true, data: { ...HOOK_EXAMPLE, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' } },
  },
  async handle({ body, service, principal, setHeader }) {
    const hook = await service.hooks.create(body, principal);
    setHeader('Location', `/api/hooks/${hook.id}`);
    return ok(hook);
  },
});

const list = route({
  method: 'get',
  path: '/api/hooks',
  name: 'listHooks',
  tag: 'Hooks',
  // The URLs of hooks may contain secrets.
  action: 'manage',
  summary: 'List hooks',
  description:
    'Returns all hooks, oldest first, with the number of events that each has delivered and that failed, but ' +
    'without their secrets.',
  answer: dataOf(z.strictObject({ hooks: z.array(shownHook), count: z.int() })),
  example: { answer: { success: true, data: { hooks: [HOOK_EXAMPLE], count: 1 } } },
  handle({ service }) {
    const hooks = service.hooks.list();
    return ok({ hooks, count: hooks.length });
  },
});

const REMOVED = 'Hook removed';

const remove = route({
  method: 'delete',
  path: '/api/hooks/:hookId',
  name: 'removeHook',
  tag: 'Hooks',
  action: 'manage',
  summary: 'Remove a hook',
  description: 'Removes a hook. Nothing more is delivered, not even pending events.',
  params: z.strictObject({ hookId }),
  answer: messageOf(REMOVED),
  errors: ['HOOK_NOT_FOUND'],
  example: { answer: { success: true, message: REMOVED } },
  handle({ params, service }) {
    service.hooks.remove(params.hookId);
    return done(REMOVED);
  },
});

export const hookRoutes = [create, list, remove];
