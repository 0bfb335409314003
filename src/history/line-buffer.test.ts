import fc from 'fast-check';
import { LineBuffer } from './line-buffer.js';

type Action = { readonly do: 'span' | 'text' | 'pop' | 'drop' | 'keep'; readonly value: number };
const action: fc.Arbitrary<Action> = fc.record({
  do: fc.constantFrom('span', 'span', 'span', 'text', 'text', 'pop', 'drop', 'keep'),
  value: fc.nat({ max: 3000 }),
});

describe('LineBuffer', () => {
  it('holds lines under numbers that never change, and counts their bytes', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 300 }), (actions) => {
        const lines = new LineBuffer();
        const model: { start: number; time: number; length: number | null; text: string }[] = [];
        let oldest = 0;
        for (const { do: what, value } of actions) {
          const start = value;
          const time = value * 2;
          if (what === 'span') {
            const style = value % 3 === 0 ? '\x1b[1m' : '';
            lines.pushSpan(start, value, time, style);
            model.push({ start, time, length: value, text: style });
          } else if (what === 'text') {
            lines.pushText(start, time, 'x'.repeat(value % 50));
            model.push({ start, time, length: null, text: 'x'.repeat(value % 50) });
          } else if (what === 'pop' && model.length > oldest) {
            expect(lines.pop()).toEqual(model.pop());
          } else if (what === 'drop') {
            oldest = Math.max(oldest, Math.min(value, model.length));
            lines.dropBefore(value);
          } else if (what === 'keep' && model.length > oldest && model.at(-1)!.length !== null) {
            lines.keepAsText(model.length - 1, 'kept');
            model[model.length - 1] = { ...model.at(-1)!, length: null, text: 'kept' };
          }
        }
        expect([lines.oldest, lines.next]).toEqual([oldest, model.length]);
        const held = model.slice(oldest);
        expect(held.map((_, i) => lines.at(oldest + i))).toEqual(held);
        expect(lines.textBytes).toBe(held.reduce((sum, line) => sum + (line.length ?? line.text.length), 0));
      }),
    );
  });

  it('continues over many pages while old ones are dropped', () => {
    const lines = new LineBuffer();
    for (let i = 0; i < 10_000; i++) {
      lines.pushSpan(i, 1, i, '');
      lines.dropBefore(lines.next - 100);
    }
    expect([lines.oldest, lines.next, lines.textBytes]).toEqual([9900, 10_000, 100]);
    expect(lines.at(9950)).toEqual({ start: 9950, time: 9950, length: 1, text: '' });
  });
});
