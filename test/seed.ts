/**
 * Loaded before each test file: `SEED=n npm test -- FILE` repeats a property with the seed that its failure reported.
 */
if (process.env['SEED'] !== undefined) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ seed: Number(process.env['SEED']) });
}
export {};
