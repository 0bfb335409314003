import { ReplyLimit } from './reply-limit.js';

const REPLY = '\x1b[24;80R'.length;

let now = 0;
let replies: ReplyLimit;
beforeEach(() => {
  replies = new ReplyLimit(() => now);
  replies.onRead();
});

/** The number of replies that are admitted of a thousand. */
const admitted = (pendingBytes = 0): number =>
  Array.from({ length: 1000 }, () => replies.admits(REPLY, pendingBytes)).filter(Boolean).length;

it('admits the replies to a program, and few of those to a printed file of queries', () => {
  expect(admitted()).toBe(256);
  replies.onRead();
  expect(admitted()).toBe(8);
  now += 1000;
  replies.onRead();
  expect(admitted()).toBe(256);
});

it('admits each reply that a program waits for before it asks again, however fast', () => {
  for (let question = 0; question < 10_000; question++) {
    replies.onRead();
    expect(replies.admits(REPLY, 0)).toBe(true);
  }
});

it('admits none if the program does not read', () => {
  expect(admitted(64 << 10)).toBe(0);
});
