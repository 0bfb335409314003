import { elementsOf } from './request-headers.js';

it('returns the elements of a list, without the blanks around them', () => {
  expect(elementsOf('gzip , br,\t*')).toEqual(['gzip', 'br', '*']);
});

it('takes linear time: a million blanks would take hours otherwise', () => {
  expect(elementsOf(`a${' '.repeat(1e6)}b`)).toHaveLength(1);
});
