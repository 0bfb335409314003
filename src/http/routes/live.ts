/**
 * Routes for live terminals: a WebSocket that sends output as it is written and accepts input, and the hold on a
 * terminal.
 */
import { z } from 'zod';
import { controlled, controlTerminal } from '../../contract/control.js';
import { liveQuery } from '../../contract/live.js';
import { serveLive } from '../../live/connection.js';
import { dataOf, ok, route } from '../route.js';
import { oneTerminal } from './terminals.js';

const EXAMPLE = `{"type":"hello","terminalId":"abc-123","role":"controller","cols":80,"rows":24,"offset":5000,…}
{"type":"snapshot","at":5000,"cols":80,"rows":24,"data":"…"}
0000000000001388 …`;

const live = route({
  method: 'get',
  path: '/api/terminals/:terminalId/live',
  name: 'openLive',
  tag: 'Live',
  summary: 'Open a live connection',
  description:
    'Opens a WebSocket with the subprotocol `tenacitty.v1`. The server sends a snapshot of the screen, then the ' +
    'output as it is written; the client sends input, sizes and signals. docs/live.md describes the messages.',
  params: oneTerminal,
  query: liveQuery,
  status: 101,
  mediaType: 'WebSocket',
  answer: z.string(),
  errors: ['TERMINAL_NOT_FOUND', 'UPGRADE_REQUIRED', 'LIMIT_REACHED'],
  example: { answer: EXAMPLE },
  async handle({ params, service }) {
    await service.manager.get(params.terminalId);
    return '';
  },
  upgrade: ({ params, query, service }, peer, caller) =>
    serveLive(peer, { manager: service.manager, terminalId: params.terminalId, query, ...caller }),
});

const HOLDER_EXAMPLE = { name: 'Ada', since: '2025-10-03T12:00:00.000Z' };

const control = route({
  method: 'post',
  path: '/api/terminals/:terminalId/control',
  name: 'controlTerminal',
  tag: 'Live',
  summary: 'Hold a terminal, or hand it back',
  description:
    'While one caller holds a terminal, the server rejects input, commands, resizing and integration from all other ' +
    'callers with `TERMINAL_HELD`. They can still read, answer questions, send signals, interrupt commands and end ' +
    'the terminal. Send the `token` with your own calls, as the header `X-Hold`; each such call renews the hold. ' +
    '`take` always succeeds.',
  params: oneTerminal,
  body: controlTerminal,
  answer: dataOf(controlled),
  errors: ['TERMINAL_NOT_FOUND', 'TERMINAL_INACTIVE', 'TERMINAL_HELD'],
  example: {
    body: { action: 'take', name: 'Ada' },
    answer: {
      success: true,
      data: {
        holder: HOLDER_EXAMPLE,
        token: '5b0c1f6e-3f44-4a55-9c50-0a7a8f3a7f0e',
        expiresAt: '2025-10-03T12:01:00.000Z',
      },
    },
  },
  async handle({ params, body, service }) {
    return ok(await service.manager.control(params.terminalId, body));
  },
});

export const liveRoutes = [live, control];
