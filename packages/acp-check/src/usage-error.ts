/** What whoever started the check has to change: the command line, or the client it names. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
