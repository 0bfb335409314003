import fc from 'fast-check';
import { ChangeLog } from './changes.js';

describe('ChangeLog', () => {
  it('returns the first line that changed after any revision', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 50 })), fc.nat({ max: 60 }), (lines, since) => {
        const changes = new ChangeLog();
        lines.forEach((line, revision) => changes.note(line, revision));
        const later = lines.filter((_, revision) => revision > since);
        expect(changes.firstSince(since)).toBe(later.length === 0 ? null : Math.min(...later));
      }),
    );
  });

  it('reports too many changed lines rather than too few if there are very many changes', () => {
    const changes = new ChangeLog();
    for (let i = 0; i < 10_000; i++) changes.note(i, i);
    expect(changes.firstSince(9999)).toBeNull();
    expect(changes.firstSince(9000)).toBe(9001);
    expect(changes.firstSince(10)).toBeLessThanOrEqual(11);
  });

  it('drops changes of lines that are no longer held', () => {
    const changes = new ChangeLog();
    changes.note(3, 1);
    changes.note(8, 2);
    changes.dropBefore(5);
    expect(changes.firstSince(0)).toBe(8);
    changes.dropBefore(9);
    expect(changes.firstSince(0)).toBeNull();
  });
});
