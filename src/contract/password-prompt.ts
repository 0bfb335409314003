/** Recognises prompts for a password or another secret. */

const PASSWORD_PROMPT = /\b(?:pass(?:word|phrase|code|wort)?|pin|otp|secret|token|verification code)\b.{0,80}[:?]\s*$/i;

/**
 * Returns whether a line looks like a password prompt: a heuristic, used if the system cannot tell, or to decide
 * whether to query it further.
 */
export function looksLikePasswordPrompt(line: string): boolean {
  return PASSWORD_PROMPT.test(line);
}
