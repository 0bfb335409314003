/** Routes of the page that a link to answer one question opens. They need no sign-in, but the secrets of the link. */
import { z } from 'zod';
import { question } from '../../contract/waiting.js';
import { dataOf, done, messageOf, ok, route } from '../route.js';

const MAX_CODE_CHARS = 200;
/** Longer than any password. Terminals do not accept longer lines either. */
const MAX_ANSWER_CHARS = 1024;
const secret = z.string().min(1).max(MAX_CODE_CHARS);

const PROOF = 'b9Qm2xLw7TfYc0Rk5ZsNeH3uVj8aGdP1oIiXqKyE4Bt';
/** What hosts may answer; the other codes mean that the question is no longer asked. */
const ERRORS = ['NOT_WAITING', 'HOST_UNRESPONSIVE', 'HOST_LOST', 'HOST_FAILED'] as const;

const open = route({
  method: 'post',
  path: '/api/answer-links',
  name: 'openAnswerLink',
  tag: 'Sign-in',
  asked: 'sign-in',
  summary: 'Open an answer link',
  description:
    "Only for the server's own page: requires its exact `Origin`, but no sign-in. Exchanges the code of a link that an " +
    'MCP server has given out for the question that it permits to answer, and a proof. A code works once and expires ' +
    'after ten minutes.',
  body: z.strictObject({ code: secret.describe('The code of the link.') }),
  status: 201,
  answer: dataOf(
    z.strictObject({
      proof: z.string().describe('Returned only in this response. Works once, until the link expires.'),
      question: z.strictObject({
        ...question.pick({ by: true, kind: true, prompt: true, since: true }).shape,
        terminal: z.string().describe('The name of the terminal.'),
        command: z.string().describe('The text of the command that asks, or its beginning.'),
      }),
    }),
  ),
  errors: ERRORS,
  example: {
    body: { code: 'Jq5Zt8Wm1cXo4Rb7Ky0Nf3Vh6Ds9Lg2Pa5Tu8Ei1Qw4' },
    answer: {
      success: true,
      data: {
        proof: PROOF,
        question: {
          by: 'sudo',
          kind: 'password',
          prompt: '[sudo] password for ada:',
          since: '2025-10-03T12:05:00.000Z',
          terminal: 'terminal 0',
          command: 'sudo nginx -t',
        },
      },
    },
  },
  handle: async ({ body, service, answerRight }) => ok(await service.linkAnswers.open(await answerRight(body.code))),
});

const ANSWERED = 'Answer sent successfully';

const answer = route({
  method: 'post',
  path: '/api/answers',
  name: 'answerByLink',
  tag: 'Sign-in',
  asked: 'sign-in',
  summary: 'Answer by link',
  description:
    "Only for the server's own page, like opening the link. Types the answer and Enter, if the program is still asking " +
    'the question of the link; otherwise nothing is typed. The proof then is no longer valid. The answer is neither ' +
    'logged nor kept.',
  body: z.strictObject({
    proof: secret.describe('From opening the link.'),
    text: z
      .string()
      .max(MAX_ANSWER_CHARS)
      .refine((text) => !/\p{Cc}/u.test(text), { error: 'expected one line without control characters' })
      // Not repeated in errors, because it may be a password.
      .meta({ description: 'The answer: one line without control characters.', writeOnly: true }),
  }),
  answer: messageOf(ANSWERED),
  errors: [...ERRORS, 'COMMAND_DENIED', 'LIMIT_REACHED', 'WRITE_FAILED'],
  example: { body: { proof: PROOF, text: 'y' }, answer: { success: true, message: ANSWERED } },
  async handle({ body: { proof, text }, service }) {
    await service.linkAnswers.answer(proof, text);
    return done(ANSWERED);
  },
});

export const answerLinkRoutes = [open, answer];
