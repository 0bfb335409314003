import { Remembered } from './remembered.js';

describe('what is remembered', () => {
  it('is made once, and given again', () => {
    const remembered = new Remembered<object>(2);
    const first = remembered.get('a', () => ({}));
    expect(remembered.get('a', () => ({}))).toBe(first);
    expect(remembered.peek('b')).toBeUndefined();
  });

  it('is so many at most: what was longest not used is forgotten', () => {
    const remembered = new Remembered<string>(2);
    remembered.set('a', 'A');
    remembered.set('b', 'B');
    remembered.get('a', () => 'made anew');
    remembered.set('c', 'C');
    expect(['a', 'b', 'c'].map((name) => remembered.peek(name))).toEqual(['A', undefined, 'C']);
  });
});
