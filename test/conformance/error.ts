/** What a test expects of an error. */

/** An error with this code, whose message fits. */
export function error(code: string, message: RegExp = /./): unknown {
  return expect.objectContaining({ code, message: expect.stringMatching(message) });
}
