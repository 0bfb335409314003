/** What a line looks like behind which a password, or what serves as one, is asked for. It knows no terminal. */

const PASSWORD_PROMPT = /\b(?:pass(?:word|phrase|code|wort)?|pin|otp|secret|token|verification code)\b.{0,80}[:?]\s*$/i;

/** A guess, for where the system does not tell, or to ask it more closely. */
export function looksLikePasswordPrompt(line: string): boolean {
  return PASSWORD_PROMPT.test(line);
}
