/** An error that the caller has to fix, in the command line or in the client that it names. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
