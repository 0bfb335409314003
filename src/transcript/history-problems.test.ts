import { historyProblems } from './history-problems.js';

it('reports each reason once, with one terminal and the number of further ones', () => {
  const terminals = [
    { id: 'a', problem: 'no space left' },
    { id: 'b', problem: null },
    { id: 'c', problem: 'no space left' },
    { id: 'd', problem: 'too slow' },
  ];
  expect(historyProblems(terminals)).toEqual([
    'the history of terminal a and 1 more is currently in memory only: no space left',
    'the history of terminal d is currently in memory only: too slow',
  ]);
  expect(historyProblems([{ id: 'b', problem: null }])).toEqual([]);
});
