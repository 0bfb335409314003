/** Defines the errors that end a case that does not pass. */
/** Thrown if the rule is violated. The message describes what was observed. */
export class RuleViolation extends Error {
  override readonly name = 'RuleViolation';
}

/** Thrown if the rule cannot be checked here. The message states why. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

export function demand(holds: boolean, seen: string): asserts holds {
  if (!holds) throw new RuleViolation(seen);
}
