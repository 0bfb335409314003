/** The errors with which a case ends if it does not pass. Independent of the rules. */
/** The rule is violated. The message says what was observed. */
export class Breach extends Error {
  override readonly name = 'Breach';
}

/** The rule cannot be checked here; the message says why. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

export function demand(holds: boolean, seen: string): asserts holds {
  if (!holds) throw new Breach(seen);
}
