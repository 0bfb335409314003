/**
 * How the tests run: native ES modules, TypeScript stripped by swc, each file in a child process of
 * its own (a native PTY must not live in a worker thread).
 */
const DEEP = process.env.DEEP === '1';
/**
 * Longer than anything waits that says what it has waited for (test/eventually.ts). In the deep run, other processes
 * keep the cores busy, and each command that is started counts its coverage.
 */
const TEST_TIMEOUT_MS = DEEP ? 60_000 : 20_000;

export default {
  testEnvironment: 'node',
  testMatch: ['src', 'test', 'packages/*/test'].map((folder) => `<rootDir>/${folder}/**/*.test.ts`),
  testPathIgnorePatterns: ['/node_modules/', ...(DEEP ? [] : ['\\.deep\\.test\\.ts$'])],
  setupFiles: ['<rootDir>/test/seed.ts'],
  testSequencer: '<rootDir>/scripts/test-sequencer.mjs',
  reporters: ['default', '<rootDir>/scripts/test-reporter.mjs'],
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
  modulePathIgnorePatterns: [
    '<rootDir>/(packages/[a-z-]+/)?dist/',
    '<rootDir>/coverage/',
    '<rootDir>/test/(?!page/)[a-z-]+/node_modules/',
  ],
  watchPathIgnorePatterns: ['<rootDir>/(packages/[a-z-]+/)?dist/', '<rootDir>/coverage/'],
  // Half of the time of a test is waiting: two for each core of the smallest machine keep its cores busy.
  maxWorkers: 4,
  // A test file leaves memory behind, and a large process takes long to fork.
  workerIdleMemoryLimit: '400MB',
  testTimeout: TEST_TIMEOUT_MS,
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts', 'packages/*/src/**/*.ts', '!src/**/*.{test,d}.ts'],
  // Only of Jest's own processes; scripts/coverage.mjs adds what the tests start, and knows how much is enough.
  coverageReporters: ['text-summary'],
};
