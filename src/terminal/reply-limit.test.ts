import { ReplyLimit } from './reply-limit.js';

let now = 0;
const limit = (): ReplyLimit => new ReplyLimit(() => now);

/** The number of replies of eight bytes that are admitted of this many. */
const admitted = (replies: ReplyLimit, count: number): number =>
  Array.from({ length: count }, () => replies.admits(8)).filter(Boolean).length;

it('admits what a program asks for at once, and not what a file of queries asks for', () => {
  const replies = limit();
  replies.begin();
  expect(admitted(replies, 10_000)).toBe(512);
  now += 1000;
  replies.begin();
  expect(admitted(replies, 10_000)).toBe(512);
});

it('admits each reply that a program waits for before it asks again, however fast', () => {
  const replies = limit();
  for (let question = 0; question < 10_000; question++) {
    replies.begin();
    expect(replies.admits(8)).toBe(true);
  }
});
