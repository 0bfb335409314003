import { LruMap } from './lru-map.js';

describe('an LRU map', () => {
  it('creates a value once, and returns it again', () => {
    const remembered = new LruMap<object>(2);
    const first = remembered.get('a', () => ({}));
    expect(remembered.get('a', () => ({}))).toBe(first);
    expect(remembered.peek('b')).toBeUndefined();
  });

  it('has a maximum size: the least recently used entry is dropped', () => {
    const remembered = new LruMap<string>(2);
    remembered.set('a', 'A');
    remembered.set('b', 'B');
    remembered.get('a', () => 'created again');
    remembered.set('c', 'C');
    expect(['a', 'b', 'c'].map((name) => remembered.peek(name))).toEqual(['A', undefined, 'C']);
  });

  it('counts an entry that is set again as used', () => {
    const remembered = new LruMap<string>(2);
    for (const name of ['a', 'b', 'a', 'c']) remembered.set(name, name);
    remembered.delete('c');
    expect(['a', 'b', 'c'].map((name) => remembered.peek(name))).toEqual(['a', undefined, undefined]);
  });
});
