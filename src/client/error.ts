/** An error that the server returned. */

export class ApiError extends Error {
  override readonly name = 'ApiError';

  /**
   * @param code - Error code, such as `TERMINAL_NOT_FOUND`. docs/objects.md lists all codes.
   * @param status - HTTP status of the response.
   * @param details - Further details, which depend on the code.
   */
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly details: Readonly<Record<string, unknown>>,
  ) {
    super(message);
  }
}
