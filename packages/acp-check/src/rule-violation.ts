/** The errors with which a case ends if it does not pass. */
/** The rule is violated. The message says what was observed. */
export class RuleViolation extends Error {
  override readonly name = 'RuleViolation';
}

/** The rule cannot be checked here; the message says why. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

export function demand(holds: boolean, seen: string): asserts holds {
  if (!holds) throw new RuleViolation(seen);
}
