import { didYouMean, nearest } from './nearest.js';

const KNOWN = ['serve', 'key', '--port', '--max-buffer-size'];

describe('nearest', () => {
  it.each([
    ['server', 'serve'],
    ['SERVE', 'serve'],
    ['kye', 'key'],
    ['--prot', '--port'],
    ['--max-bufer-sise', '--max-buffer-size'],
  ])('finds that %s means %s', (word, meant) => {
    expect(nearest(word, KNOWN)).toBe(meant);
  });

  it('says nothing when nothing is near', () => {
    expect(nearest('completely-else', KNOWN)).toBeUndefined();
    expect(didYouMean('completely-else', KNOWN)).toBe('');
    expect(nearest('serve', [])).toBeUndefined();
  });
});
