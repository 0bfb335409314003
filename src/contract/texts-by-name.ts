/**
 * Texts under names that come from outside: variables, labels. Any name may come; one that no object can have as a plain
 * property is refused, not lost on the way. Schemas only; it knows no use of them.
 */
import { z } from 'zod';

/** A property of this name is passed over by schemas, or is the prototype. */
const NO_PROPERTY = '__proto__';

/** An object whose names and texts fit the schemas given. */
export function textsByName<Name extends z.core.$ZodRecordKey, Text extends z.ZodType>(name: Name, text: Text) {
  return z.preprocess(
    (given: Record<z.input<Name> & string, z.input<Text>>, context) => {
      if (typeof given === 'object' && given !== null && Object.hasOwn(given, NO_PROPERTY)) {
        context.addIssue({ code: 'custom', path: [NO_PROPERTY], message: `expected another name than ${NO_PROPERTY}` });
      }
      return given;
    },
    z.record(name, text),
  );
}
