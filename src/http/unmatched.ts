/**
 * Creates responses to requests that match no route: targets that are not paths, unknown paths and unsupported methods.
 * Pure.
 */
import { nearest } from '../nearest.js';
import { TerminalError, invalidInput } from '../errors.js';
import type { Route } from './route.js';

const MAX_SHOWN = 120;

/** A path and query in printable ASCII. A request target must not contain `#`. */
const TARGET = /^\/[\x21\x22\x24-\x7e]*$/;

/**
 * Splits a request's target into path and query.
 *
 * @throws `INVALID_INPUT` if the target is not a path, or the path has invalid percent-encoding.
 */
export function readTarget(target: string): { path: string; query: string } {
  const at = target.indexOf('?');
  const path = at === -1 ? target : target.slice(0, at);
  if (!TARGET.test(target)) throw badTarget(target, 'a path that begins with /, other characters percent-encoded');
  try {
    decodeURIComponent(path);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw badTarget(path, '%XX in UTF-8');
  }
  return { path, query: at === -1 ? '' : target.slice(at + 1) };
}

function badTarget(given: string, expected: string): TerminalError {
  const shown = given.slice(0, MAX_SHOWN);
  return invalidInput({ field: 'path', message: `expected ${expected}`, given: shown, expected });
}

/** Returns the error for an unknown path, which suggests the nearest existing one. */
export function routeNotFound(method: string, path: string, routes: readonly Route[]): TerminalError {
  const shown = path.slice(0, MAX_SHOWN);
  const meant = nearestPath(path, routes);
  const hint = meant ? `. Did you mean ${meant}?` : '. GET /openapi.json lists all routes';
  const details = { method, path: shown, ...(meant ? { didYouMean: meant } : {}) };
  return new TerminalError('ROUTE_NOT_FOUND', `There is no route ${method} ${shown}${hint}`, details);
}

/** Returns the error for an existing path that does not support this method. */
export function methodNotAllowed(method: string, path: string, allowed: readonly string[]): TerminalError {
  const list = allowed.join(', ');
  return new TerminalError('METHOD_NOT_ALLOWED', `${path} does not support ${method}; it supports ${list}`, {
    method,
    allowed,
  });
}

/** Deeper than any route. Longer paths are not compared with routes. */
const MAX_SEGMENTS = 8;

/** Returns the route pattern nearest to a mistyped path, including a path that lacks `/api`. */
function nearestPath(path: string, routes: readonly Route[]): string | undefined {
  const given = path.slice(0, MAX_SHOWN).split('/').filter(Boolean);
  if (given.length === 0 || given.length > MAX_SEGMENTS) return undefined;
  const patterns = [...new Set(routes.map((route) => route.path))];
  for (const segments of given[0] === 'api' ? [given] : [['api', ...given], given]) {
    const candidates = patterns
      .filter((pattern) => hasSimilarNames(pattern, segments))
      .map((pattern) => ({ pattern, filled: fill(pattern, segments) }));
    const best = nearest(
      `/${segments.join('/')}`,
      candidates.map(({ filled }) => filled),
    );
    if (best !== undefined) return candidates.find(({ filled }) => filled === best)?.pattern;
  }
  return undefined;
}

/**
 * Returns whether the names in a path are similar to those of a pattern. Compares names only, because parameters match
 * anything, and their letters would hide differences between names.
 */
function hasSimilarNames(pattern: string, given: readonly string[]): boolean {
  const expected = pattern.split('/').slice(1);
  const names = given.map((segment, at) => (expected[at]?.startsWith(':') ? '' : segment));
  return nearest(names.join('/'), [expected.map((name) => (name.startsWith(':') ? '' : name)).join('/')]) !== undefined;
}

/** Returns the pattern with its parameters replaced by the given segments, so that only names can differ. */
function fill(pattern: string, given: readonly string[]): string {
  const segments = pattern.split('/').slice(1);
  return `/${segments.map((segment, at) => (segment.startsWith(':') ? (given[at] ?? segment) : segment)).join('/')}`;
}
