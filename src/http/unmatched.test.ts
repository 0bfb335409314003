import fc from 'fast-check';
import { ROUTES } from './routes.js';
import { readTarget, routeNotFound } from './unmatched.js';

const meant = (path: string) => routeNotFound('GET', path, ROUTES).details['didYouMean'];

it.each([
  ['/api/terminal', '/api/terminals'],
  ['/terminals', '/api/terminals'],
  ['/api/terminals/', '/api/terminals'],
  ['/API/Terminals', '/api/terminals'],
  ['/api/terminals/abc-123/ouput', '/api/terminals/:terminalId/output'],
  ['/terminals/abc-123/stats', '/api/terminals/:terminalId/stats'],
  ['/health', '/api/health'],
  ['/metric', '/metrics'],
])('suggests the right route for %s: %s', (path, pattern) => {
  expect(meant(path)).toBe(pattern);
});

it('suggests nothing if no route is similar', () => {
  for (const path of ['/', '/favicon.ico', '/a/b/c/d/e/f/g/h/i', '/wp-admin/setup.php'])
    expect(meant(path)).toBeUndefined();
});

it('splits a target into path and query', () => {
  expect(readTarget('/a/b?c=d?e')).toEqual({ path: '/a/b', query: 'c=d?e' });
  expect(readTarget('/')).toEqual({ path: '/', query: '' });
});

it('refuses targets that are not paths, and repeats only a part of them', () => {
  for (const target of ['*', 'http://x/', '', '/a b', '/#', '/%', '/%ff', '/é']) {
    expect(() => readTarget(target)).toThrow(/^path: expected/);
  }
  fc.assert(
    fc.property(fc.string({ minLength: 2000, maxLength: 5000 }), (text) => {
      try {
        readTarget(text);
      } catch (error) {
        expect((error as Error).message.length).toBeLessThan(200);
      }
    }),
  );
});
