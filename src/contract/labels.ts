/**
 * The vocabulary of labels: what whoever starts a terminal writes on it, to find it by afterwards. Schemas, and how a
 * label is written in one piece; nothing here knows a door or the engine.
 */
import { z } from 'zod';
import { textsByName } from './texts-by-name.js';

/** Most labels of one terminal. */
export const MAX_LABELS = 16;
export const MAX_LABEL_VALUE_CHARS = 256;

const NAME = '[A-Za-z0-9._-]{1,64}';
const labelName = z.string().regex(new RegExp(`^${NAME}$`), { error: 'a name of 1 to 64 letters, digits, ., _ or -' });
const labelValue = z
  .string()
  .max(MAX_LABEL_VALUE_CHARS)
  .regex(/^\P{Cc}*$/u, { error: 'text without control characters' });

/** Names and values, as they are given and kept. */
export const terminalLabels = textsByName(labelName, labelValue).refine(
  (labels) => Object.keys(labels).length <= MAX_LABELS,
  { error: `give at most ${MAX_LABELS} labels` },
);
export type TerminalLabels = Readonly<Record<string, string>>;

/** What is to become of labels: those named get these values, null takes one away, all others stay. */
export const changedLabels = textsByName(labelName, labelValue.nullable());

/** A label in one piece, as in a query or on a command line. A value may have `=` in it, a name cannot. */
export const labelText = z.string().regex(new RegExp(`^${NAME}=\\P{Cc}{0,${MAX_LABEL_VALUE_CHARS}}$`, 'u'), {
  error: 'NAME=VALUE: a name of letters, digits, ., _ or -, a value without control characters',
});

/** The labels that `labelText`s say. Of two of the same name the last counts. */
export function labelsOf(texts: readonly string[]): TerminalLabels {
  return Object.fromEntries(texts.map(splitLabel));
}

function splitLabel(text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}
