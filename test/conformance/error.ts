/** A matcher for errors. */

/** Matches an error with this code and a matching message. */
export function error(code: string, message: RegExp = /./): unknown {
  return expect.objectContaining({ code, message: expect.stringMatching(message) });
}
