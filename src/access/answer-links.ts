/**
 * Creates and redeems links that let a person answer one question of one program on the server's page, without signing
 * in. The link contains a code of 256 random bits, which works once. It is in the fragment, which browsers do not send.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { terminalId } from '../contract/terminal.js';
import { OneTimeCodes } from './one-time-codes.js';

const FOLDER = 'answer-codes';
const CODE_BYTES = 32;
/** Time to notice the link, to look up the password and to type it. */
const VALID_MS = 10 * 60_000;
const MAX_NAME_CHARS = 200;

/** What the holder of a link is allowed to do: answer this question, and nothing else. */
const answerRight = z.strictObject({
  terminalId,
  /** The id of the question. */
  waiting: z.string().min(1).max(64),
  /** The number of the command that asks it. */
  commandId: z.int().positive(),
  /** The name of the terminal, as the person knows it. */
  terminal: z.string().max(MAX_NAME_CHARS),
  /** When the right ends, in milliseconds since 1970. */
  expires: z.int(),
});
export type AnswerRight = Readonly<z.infer<typeof answerRight>>;

export interface AnswerLink {
  /** Must be shown only to the user, never to the model. */
  readonly url: string;
  /** Makes the link invalid if it has not been opened. */
  revoke(): void;
}

/** Creates a link to answer a question. Resolves to undefined if no server can show the page. */
export type CreateAnswerLink = (question: Omit<AnswerRight, 'expires'>) => Promise<AnswerLink | undefined>;

/** @param findServer - Returns the URL of a server that uses this data directory; undefined if there is none. */
export function answerLinks(dataDir: string, findServer: () => Promise<string | undefined>): CreateAnswerLink {
  return async (question) => {
    const url = await findServer();
    if (url === undefined) return undefined;
    const { code, revoke } = createAnswerCode(dataDir, question);
    return { url: `${url}/answer#code=${code}`, revoke };
  };
}

/**
 * Creates a code.
 *
 * @param validMs - How long the code and what it permits are valid. Default: ten minutes.
 * @throws The system's error if the code cannot be stored; `INVALID_INPUT` if other users could have written to the
 * folder.
 */
export function createAnswerCode(dataDir: string, question: Omit<AnswerRight, 'expires'>, validMs = VALID_MS) {
  const codes = new OneTimeCodes(dataDir, FOLDER);
  const code = randomBytes(CODE_BYTES).toString('base64url');
  const terminal = question.terminal.slice(0, MAX_NAME_CHARS);
  const right: AnswerRight = { ...question, terminal, expires: Date.now() + validMs };
  codes.create(code, validMs, JSON.stringify(right));
  return { code, revoke: () => codes.remove(code) };
}

/** Consumes a code and returns what it permits; undefined if it was not valid. */
export function redeemAnswerCode(dataDir: string, code: string): AnswerRight | undefined {
  const content = new OneTimeCodes(dataDir, FOLDER).use(code);
  return content === undefined ? undefined : answerRight.parse(JSON.parse(content));
}
