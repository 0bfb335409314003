import { ReplyLimit } from './reply-limit.js';

let now = 0;
const REPLY = '\x1b[24;80R'.length;

/** The number of replies that are admitted of this many. */
const admitted = (replies: ReplyLimit, count: number): number =>
  Array.from({ length: count }, () => replies.admits(REPLY, 0)).filter(Boolean).length;

it('admits what a program asks for at once, and little of what a file of queries asks for', () => {
  const replies = new ReplyLimit(() => now);
  expect(admitted(replies, 100)).toBe(100);
  expect(admitted(replies, 10_000)).toBe(156);
  now += 1000;
  expect(admitted(replies, 10_000)).toBe(256);
});

it('admits each of five thousand replies a second that a program waits for', () => {
  const replies = new ReplyLimit(() => now);
  for (let question = 0; question < 10_000; question++) {
    now += 0.2;
    expect(replies.admits(REPLY, 0)).toBe(true);
  }
});

it('admits none when the program does not read', () => {
  expect(new ReplyLimit(() => now).admits(REPLY, 64 << 10)).toBe(false);
});
