import { didYouMean, nearest } from './nearest.js';

const KNOWN = ['serve', 'key', '--port', '--max-buffer-size'];

describe('nearest', () => {
  it.each([
    ['server', 'serve'],
    ['SERVE', 'serve'],
    ['kye', 'key'],
    ['--prot', '--port'],
    ['--max-bufer-sise', '--max-buffer-size'],
  ])('recognises %s as %s', (word, meant) => {
    expect(nearest(word, KNOWN)).toBe(meant);
  });

  it.each([
    ['cmd', ['action', 'id', 'command'], 'command'],
    ['txt', ['tail', 'text'], 'text'],
    ['st', ['list', 'stats'], 'stats'],
  ])('recognises %s, of %j, as short for %s', (word, known, meant) => {
    expect(nearest(word, known)).toBe(meant);
  });

  it('counts two swapped neighbouring letters as one mistake', () => {
    expect(nearest('lgos', ['ls', 'logs'])).toBe('logs');
  });

  it('returns nothing if nothing is similar', () => {
    expect(nearest('bogus', ['ls', 'logs'])).toBeUndefined();
    expect(nearest('completely-else', KNOWN)).toBeUndefined();
    expect(didYouMean('completely-else', KNOWN)).toBe('');
    expect(nearest('serve', [])).toBeUndefined();
  });
});
