/** Describes what an integrated shell is doing, as far as is known. */
export type SessionState =
  /** Startup files are running; no prompt has been shown yet. */
  | 'starting'
  /** At the prompt, with nothing typed. */
  | 'prompt'
  /** At the prompt, with something typed. */
  | 'typing'
  /** The user has typed Enter; the effect is not known yet. */
  | 'submitted'
  /** The shell asks for more of what the user typed. */
  | 'continuation'
  /** The user's input is being parked to make room for a command. */
  | 'parking'
  /** A command's line was typed; the command has not begun. */
  | 'sent'
  /** The shell has dropped that line and will show its prompt again; bash does so after an incomplete command. */
  | 'retrying'
  /** The integration is being reloaded. */
  | 'healing'
  /** A command is running. */
  | 'running'
  /** A command has ended; the prompt has not been shown yet. */
  | 'settling'
  /** The shell is reading its terminal but sends no marks. */
  | 'unknown'
  /** The shell has ended. */
  | 'over';

/** The states that withhold the injected line and its effects. */
export const WITHHOLDING: readonly SessionState[] = ['sent', 'retrying', 'healing'];
