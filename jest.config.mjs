/**
 * How the tests run: native ES modules, TypeScript stripped by swc, each file in a child process of
 * its own (a native PTY must not live in a worker thread).
 */
/** Longer than any helper waits that says what it has waited for. */
const TEST_TIMEOUT_MS = 120_000;

export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/src/**/*.test.ts', '<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023', keepClassNames: true },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/test/[a-z]+/node_modules/'],
  watchPathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/coverage/'],
  // Terminals are processes too: more workers than this fight their own children for the cores.
  maxWorkers: 2,
  testTimeout: TEST_TIMEOUT_MS,
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts', '!src/**/*.{test,d}.ts'],
  // Only of Jest's own processes; scripts/coverage.mjs adds what the tests start, and knows how much is enough.
  coverageReporters: ['text-summary'],
};
