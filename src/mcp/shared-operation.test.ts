import { SharedOperation } from './shared-operation.js';

function begun() {
  let settle!: (answer: string) => void;
  let left!: AbortSignal;
  const shared = new SharedOperation((signal) => {
    left = signal;
    return new Promise<string>((resolve) => (settle = resolve));
  });
  return { shared, settle, left };
}

it('runs once for all callers, and is abandoned when the last of them has left', async () => {
  const { shared, settle, left } = begun();
  const [one, other] = [new AbortController(), new AbortController()];
  const answers = [shared.join(one.signal), shared.join(other.signal)];
  one.abort();
  expect([left.aborted, shared.isAbandoned]).toEqual([false, false]);
  other.abort(new Error('gone'));
  expect([left.aborted, shared.isAbandoned]).toEqual([true, true]);
  expect(left.reason).toEqual(new Error('gone'));
  settle('x');
  expect(await Promise.all(answers)).toEqual(['x', 'x']);
});

it('is abandoned at once if its only caller has left already', () => {
  const { shared, left } = begun();
  void shared.join(AbortSignal.abort());
  expect(left.aborted).toBe(true);
});

it('is not aborted after it is done', async () => {
  const { shared, settle, left } = begun();
  const caller = new AbortController();
  const answer = shared.join(caller.signal);
  settle('x');
  await answer;
  caller.abort();
  expect(left.aborted).toBe(false);
});
