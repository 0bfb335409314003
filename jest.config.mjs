/** How the tests run: native ES modules, in child processes (a native PTY must not live in a worker thread). */
const DEEP = process.env.DEEP === '1';
/**
 * Longer than anything waits that says what it has waited for (test/eventually.ts). In the deep run, other processes
 * keep the cores busy, each command that is started counts its coverage, and many tests repeat their case a hundred
 * times more often.
 */
const TEST_TIMEOUT_MS = DEEP ? 300_000 : 20_000;

/** Jest's own runtime counts the coverage. */
const OWN_RUNTIME = {
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/scripts/jest/globals.mjs', '<rootDir>/test/seed.ts'],
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
};
/** Node's runtime costs half a second of CPU less for each file, because the files of a worker share all modules. */
const NODE_RUNTIME = {
  testEnvironment: '<rootDir>/scripts/jest/environment.cjs',
  runtime: '<rootDir>/scripts/jest/runtime.cjs',
  setupFiles: ['<rootDir>/test/seed.ts'],
  transform: {},
};

export default {
  ...(DEEP ? OWN_RUNTIME : NODE_RUNTIME),
  testMatch: ['src', 'test', 'packages/*/test'].map((folder) => `<rootDir>/${folder}/**/*.test.ts`),
  testPathIgnorePatterns: ['/node_modules/', ...(DEEP ? [] : ['\\.deep\\.test\\.ts$'])],
  testSequencer: '<rootDir>/scripts/test-sequencer.mjs',
  reporters: ['default', '<rootDir>/scripts/test-reporter.mjs'],
  modulePathIgnorePatterns: [
    '<rootDir>/(packages/[a-z-]+/)?dist/',
    '<rootDir>/coverage/',
    '<rootDir>/test/(?!page/)[a-z-]+/node_modules/',
  ],
  watchPathIgnorePatterns: ['<rootDir>/(packages/[a-z-]+/)?dist/', '<rootDir>/coverage/'],
  // Half of the time of a test is waiting: two for each core of the smallest machine keep its cores busy.
  maxWorkers: 4,
  // A test file leaves memory behind, and a large process takes long to fork.
  workerIdleMemoryLimit: '800MB',
  testTimeout: TEST_TIMEOUT_MS,
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts', 'packages/*/src/**/*.ts', '!src/**/*.{test,d}.ts'],
  // Only of Jest's own processes; scripts/coverage.mjs adds what the tests start, and knows how much is enough.
  coverageReporters: ['text-summary'],
};
