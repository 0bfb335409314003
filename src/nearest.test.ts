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

  it.each([
    ['cmd', ['action', 'id', 'command'], 'command'],
    ['txt', ['tail', 'text'], 'text'],
    ['st', ['list', 'stats'], 'stats'],
  ])('finds that %s, of %j, is short for %s', (word, known, meant) => {
    expect(nearest(word, known)).toBe(meant);
  });

  it('takes two neighbours that changed places for one mistake', () => {
    expect(nearest('lgos', ['ls', 'logs'])).toBe('logs');
  });

  it('says nothing when nothing is near', () => {
    expect(nearest('bogus', ['ls', 'logs'])).toBeUndefined();
    expect(nearest('completely-else', KNOWN)).toBeUndefined();
    expect(didYouMean('completely-else', KNOWN)).toBe('');
    expect(nearest('serve', [])).toBeUndefined();
  });
});
