/** Tests which ids are remembered, and for how long. */
import { IssuedIds } from './issued-ids.js';

it('remembers the newest ids with their sessions; an id that is added again counts as new', () => {
  const ids = new IssuedIds(3);
  for (const id of ['a', 'b', 'c']) ids.add(id, `session of ${id}`);
  ids.add('a', 'session of a');
  ids.add('d', 'session of d');
  expect(['a', 'b', 'c', 'd'].map((id) => ids.sessionOf(id))).toEqual([
    ...['session of a', undefined, 'session of c', 'session of d'],
  ]);
});

it('remembers ten thousand ids', () => {
  const ids = new IssuedIds();
  for (let id = 0; id <= 10_000; id++) ids.add(String(id), 's');
  expect([0, 1, 10_000].map((id) => ids.sessionOf(String(id)))).toEqual([undefined, 's', 's']);
});
