/** The route for recordings. It only translates between HTTP and the manager. */
import { z } from 'zod';
import { readRecording } from '../../contract/recording.js';
import { FileAnswer, route } from '../route.js';
import { oneTerminal } from './terminals.js';

const TEXT_TYPE = 'text/plain';

const EXAMPLE = [
  '{"version":3,"term":{"cols":80,"rows":24,"type":"xterm-256color"},"timestamp":1759492800,"title":"web", …}',
  '[0.412,"m","npm test → exit 1"]',
  '[0.003,"o","\\r\\n> test\\r\\n"]',
  '[8.125,"x","1"]',
  '',
].join('\n');

const read = route({
  method: 'get',
  path: '/api/terminals/:terminalId/recording',
  name: 'readRecording',
  tag: 'Recordings',
  summary: 'Export a recording',
  description:
    "Returns a terminal's output, or a part of it, as a file: with times for players (asciicast), as lines, or as " +
    'bytes. The response is streamed. A running terminal is recorded up to now.',
  params: oneTerminal,
  query: readRecording,
  answer: z.string(),
  mediaType: TEXT_TYPE,
  errors: ['TERMINAL_NOT_FOUND', 'COMMAND_NOT_FOUND', 'READ_FAILED'],
  example: { query: { format: 'asciicast-v3', command: 1 }, answer: EXAMPLE },
  async handle({ params: { terminalId }, query, service: { manager } }) {
    // Imported on demand, because few servers export recordings.
    const { exported, EXTENSIONS } = await import('../../recording/export.js');
    const { name } = await manager.get(terminalId);
    const part = query.command === undefined ? '' : `-command-${query.command}`;
    const file = `${name ?? `terminal-${terminalId.slice(0, 8)}`}${part}.${EXTENSIONS[query.format]}`;
    return new FileAnswer(file, `${TEXT_TYPE}; charset=utf-8`, await exported(manager, terminalId, query));
  },
});

export const recordingRoutes = [read];
