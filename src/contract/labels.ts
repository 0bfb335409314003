/**
 * Defines the schemas for labels, which the creator of a terminal sets in order to find it later, and the `NAME=VALUE`
 * notation.
 */
import { z } from 'zod';
import { stringRecord } from './string-record.js';

/** Maximum number of labels per terminal. */
export const MAX_LABELS = 16;
export const MAX_LABEL_VALUE_CHARS = 256;

const NAME = '[A-Za-z0-9._-]{1,64}';
const labelName = z.string().regex(new RegExp(`^${NAME}$`), { error: 'a name of 1 to 64 letters, digits, ., _ or -' });
const labelValue = z
  .string()
  .max(MAX_LABEL_VALUE_CHARS)
  .regex(/^\P{Cc}*$/u, { error: 'text without control characters' });

/** Names and values, as given and as stored. */
export const terminalLabels = stringRecord(labelName, labelValue).refine(
  (labels) => Object.keys(labels).length <= MAX_LABELS,
  { error: `expected at most ${MAX_LABELS} labels` },
);
export type TerminalLabels = Readonly<Record<string, string>>;

/** Changes to labels: sets each named label, or removes it if the value is null. Other labels stay unchanged. */
export const changedLabels = stringRecord(labelName, labelValue.nullable());

/** A label as one string, for a query or a command line. The value may contain `=`; the name cannot. */
export const labelText = z.string().regex(new RegExp(`^${NAME}=\\P{Cc}{0,${MAX_LABEL_VALUE_CHARS}}$`, 'u'), {
  error: 'NAME=VALUE: a name of letters, digits, ., _ or -, a value without control characters',
});

/** Parses `labelText` strings. If a name occurs twice, the last value wins. */
export function labelsOf(texts: readonly string[]): TerminalLabels {
  return Object.fromEntries(texts.map(splitLabel));
}

function splitLabel(text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Returns whether labels contain all wanted ones, with these values. */
export function hasLabels(labels: TerminalLabels, wanted: TerminalLabels = {}): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}
