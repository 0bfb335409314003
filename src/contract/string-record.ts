/**
 * Provides a schema for strings keyed by names that callers choose, such as variables and labels. A name that cannot be
 * a plain object property is rejected rather than silently dropped.
 */
import { z } from 'zod';

/** A property with this name would be skipped by a schema, or would set the prototype. */
const NO_PROPERTY = '__proto__';

/** Returns a schema for objects whose names and values match the given schemas. */
export function stringRecord<Name extends z.core.$ZodRecordKey, Text extends z.ZodType>(name: Name, text: Text) {
  return z.preprocess(
    (given: Record<z.input<Name> & string, z.input<Text>>, context) => {
      if (typeof given === 'object' && given !== null && Object.hasOwn(given, NO_PROPERTY)) {
        context.addIssue({ code: 'custom', path: [NO_PROPERTY], message: `expected a name other than ${NO_PROPERTY}` });
      }
      return given;
    },
    z.record(name, text),
  );
}
