/** What an integrated shell is doing, as far as anybody knows. */
export type SessionState =
  /** Its start files run; there was no prompt yet. */
  | 'starting'
  /** At the prompt, with nothing typed. */
  | 'prompt'
  /** At the prompt, with something typed. */
  | 'typing'
  /** Somebody has typed Enter; what comes of it is not known yet. */
  | 'submitted'
  /** The shell wants more of what somebody typed. */
  | 'continuation'
  /** What somebody typed is being put by, to make room for a command. */
  | 'parking'
  /** A command's line was typed; it has not begun. */
  | 'sent'
  /** The shell has dropped that line, and will show its prompt again: bash does after a text without an end. */
  | 'retrying'
  /** The integration is being loaded again. */
  | 'healing'
  /** A command runs. */
  | 'running'
  /** A command has ended; the prompt is to come. */
  | 'settling'
  /** The shell reads its terminal, but says nothing. */
  | 'unknown'
  /** The shell has ended. */
  | 'over';
