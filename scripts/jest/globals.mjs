/** Makes Jest's own object `jest` global, as it is with scripts/jest/runtime.cjs. */
globalThis.jest = import.meta.jest;
