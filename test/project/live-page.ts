/** Generates the tables of messages in docs/live.md from their schemas. `npm run docs` writes it and a test verifies it. */
import type { z } from 'zod';
import { paragraphs, table } from '../../scripts/docs/markdown.js';
import { LIVE_REQUESTS, liveMessage } from '../../src/contract/live.js';
import { inlineSchema } from '../../src/http/docs/json-schema.js';
import { cellsOf, rowsOf, type FieldRow } from '../../src/http/docs/reference.js';

const BEGIN = '<!-- messages: written by `npm run docs` from src/contract/live.ts; edit that, not this -->';
const END = '<!-- end of messages -->';

/** Returns docs/live.md with the text between the two marks replaced by the messages. */
export function withLiveMessages(document: string): string {
  const text = paragraphs([
    BEGIN,
    '## From the server',
    'JSON messages, by `type`:',
    fieldsOf(liveMessage.options, 'output'),
    '## From the client',
    'JSON messages, by `type`:',
    fieldsOf(Object.values(LIVE_REQUESTS), 'input'),
    END,
  ]);
  return document.slice(0, document.indexOf(BEGIN)) + text + document.slice(document.indexOf(END) + END.length);
}

function fieldsOf(messages: readonly z.ZodType[], io: 'input' | 'output'): string {
  return table(
    cellsOf(
      'Message, and its fields',
      messages.flatMap((message) => [headOf(message, io), ...partsOf(message, io)]),
    ),
  );
}

function headOf(message: z.ZodType, io: 'input' | 'output'): FieldRow {
  const kind = rowsOf(inlineSchema(message, io)).find(({ name }) => name === 'type')!;
  const name = JSON.parse(kind.type) as string;
  return { name, type: '', fallback: '', description: message.description ?? '' };
}

/** Fields of a message from the server are always present. */
function partsOf(message: z.ZodType, io: 'input' | 'output'): FieldRow[] {
  const rows = rowsOf(inlineSchema(message, io)).filter(({ name }) => name !== 'type');
  return rows.map((row) => ({ ...row, name: `.${row.name}`, fallback: io === 'input' ? row.fallback : '' }));
}
