import fc from 'fast-check';
import { Changes } from './changes.js';

describe('Changes', () => {
  it('names the first line that changed after any revision', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 50 })), fc.nat({ max: 60 }), (lines, since) => {
        const changes = new Changes();
        lines.forEach((line, revision) => changes.note(line, revision));
        const later = lines.filter((_, revision) => revision > since);
        expect(changes.firstSince(since)).toBe(later.length === 0 ? null : Math.min(...later));
      }),
    );
  });

  it('says too much rather than too little when there are very many', () => {
    const changes = new Changes();
    for (let i = 0; i < 10_000; i++) changes.note(i, i);
    expect(changes.firstSince(9999)).toBeNull();
    expect(changes.firstSince(9000)).toBe(9001);
    expect(changes.firstSince(10)).toBeLessThanOrEqual(11);
  });

  it('forgets lines that are gone', () => {
    const changes = new Changes();
    changes.note(3, 1);
    changes.note(8, 2);
    changes.dropBefore(5);
    expect(changes.firstSince(0)).toBe(8);
    changes.dropBefore(9);
    expect(changes.firstSince(0)).toBeNull();
  });
});
