/** Finds the answers that a prompt offers, such as `(y/N)` or `[yes/no/all]`. Pure. */

const OFFER = /[([{]\s*([A-Za-z0-9]{1,12}(?:\s*[/|,]\s*[A-Za-z0-9]{1,12}){1,4})\s*[)\]}]/g;

/** Returns the choices of the last offer in the prompt, exactly as written, or an empty list if there is none. */
export function choicesIn(prompt: string): string[] {
  const last = [...prompt.matchAll(OFFER)].at(-1)?.[1];
  return last === undefined ? [] : [...new Set(last.split(/\s*[/|,]\s*/))];
}
