import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import fc from 'fast-check';
import { estimateTokens, tokensOf } from './tokens.js';

const SAMPLES: Readonly<Record<string, string>> = {
  'a log': Array.from({ length: 60 }, (_, i) => `2026-11-20T18:${10 + (i % 50)}:07.${100 + i}Z INFO  [worker-${i % 4}] request id=${i * 7919} GET /api/users/${i} 200 ${i % 90}ms`).join('\n'),
  'ls -l': Array.from({ length: 40 }, (_, i) => `-rw-r--r--  1 root root ${String(i * 1237).padStart(8)} Nov ${10 + (i % 20)} 18:1${i % 10} file-${i}.test.ts`).join('\n'),
  'a stack trace': `TypeError: Cannot read properties of undefined (reading 'length')\n${Array.from({ length: 20 }, (_, i) => `    at Object.<anonymous> (/home/user/project/src/components/Widget${i}.tsx:${i * 13}:${i * 3})\n    at Module._compile (node:internal/modules/cjs/loader:1469:14)`).join('\n')}`,
  hashes: Array.from({ length: 30 }, (_, i) => `${Buffer.from(`seed${i * 31337}`.repeat(4)).toString('hex').slice(0, 40)} refs/heads/feature-${i}`).join('\n'),
  prose: 'The quick brown fox jumps over the lazy dog, while the terminal keeps every line that was ever written to it. '.repeat(20),
  json: JSON.stringify(Array.from({ length: 30 }, (_, id) => ({ id, name: `item ${id}`, tags: ['a', 'b'], price: id * 1.25, active: true })), null, 2),
  chinese: '终端会话在后台持续运行,即使客户端断开连接。支持指定工作目录、环境变量和输出历史。'.repeat(20),
  'a test run': Array.from({ length: 40 }, (_, i) => `  ✓ gives the right answer for case ${i} (${i % 9} ms)`).join('\n'),
  code: Array.from({ length: 30 }, (_, i) => `export function handler${i}(request: Request): Promise<Response> {\n  return respond(request, { status: 20${i % 10} });\n}`).join('\n'),
}; // prettier-ignore

describe('estimateTokens', () => {
  const errors = Object.values(SAMPLES).map((text) => estimateTokens(text) / encode(text).length - 1);

  it.each(Object.entries(SAMPLES))('is within a third of the real count for %s', (_name, text) => {
    const ratio = estimateTokens(text) / encode(text).length;
    expect(ratio).toBeGreaterThan(0.67);
    expect(ratio).toBeLessThan(1.4);
  });

  it('is on average more accurate than a quarter of the number of characters', () => {
    const quarters = Object.values(SAMPLES).map((text) => text.length / 4 / encode(text).length - 1);
    const mean = (values: number[]): number => values.reduce((sum, value) => sum + Math.abs(value), 0) / values.length;
    expect(mean(errors)).toBeLessThan(mean(quarters) * 0.7);
    expect(mean(errors)).toBeLessThan(0.2);
  });

  it('estimates a long text from parts of it', () => {
    const long = SAMPLES['a log']!.repeat(100);
    const ratio = estimateTokens(long) / encode(long).length;
    expect(Math.abs(ratio - 1)).toBeLessThan(0.35);
  });

  it('splits a text in the same way as this regular expression', () => {
    const pieces =
      /[A-Za-z]+|\d+|[^\S\n]+|\n+|[\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]+|[^\x00-\x7f]+|[\x00-\x08\x0b-\x1f\x7f]/g;
    const unit = fc.constantFrom(...'aZ09 \t\n\r\v\f.~_\x00\x1b\x7f\u00a0\u2028é终');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
        const alone = (text.match(pieces) ?? []).reduce((sum, piece) => sum + tokensOf(piece), 0);
        expect(tokensOf(text)).toBeCloseTo(alone);
      }),
    );
  });

  it('is zero for an empty text', () => {
    expect(estimateTokens('')).toBe(0);
  });
});
