/** How a case ends that does not pass. It knows no rule. */
/** The rule does not hold. The message says what was seen. */
export class Breach extends Error {
  override readonly name = 'Breach';
}

/** Here it cannot be told whether the rule holds; the message says why. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

export function demand(holds: boolean, seen: string): asserts holds {
  if (!holds) throw new Breach(seen);
}
