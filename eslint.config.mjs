/**
 * The rules that need no types; .oxlintrc.json has those that do. Layout is prettier's; imports between rooms are
 * test/architecture.test.ts's.
 */
import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const MAX_FILE_LINES = 500;

const NO_SLEEP =
  'Tests do not sleep: wait for an event, a marker in the output, the API’s own waiting; or look with `eventually`.';
const NO_SPIN = 'A loop that only looks takes the core from what it waits for: use `eventually`.';
const NO_DEFAULT_EXPORT = {
  selector: 'ExportDefaultDeclaration',
  message: 'Export by name: a thing has one name everywhere.',
};
const NO_TIMERS = [
  { selector: "ImportDeclaration[source.value='node:timers/promises']", message: NO_SLEEP },
  { selector: "CallExpression[callee.name='setTimeout']", message: NO_SLEEP },
  { selector: "CallExpression[callee.property.name='setTimeout']", message: NO_SLEEP },
  { selector: "CallExpression[callee.name='setInterval']", message: NO_SLEEP },
  { selector: "CallExpression[callee.property.name='setInterval']", message: NO_SLEEP },
  { selector: "CallExpression[callee.name='sleep']", message: NO_SLEEP },
  { selector: "MemberExpression[object.name='Atomics'][property.name='wait']", message: NO_SLEEP },
  { selector: "WhileStatement[body.type='EmptyStatement']:has(AwaitExpression)", message: NO_SPIN },
  { selector: "WhileStatement[body.type='ContinueStatement']:has(AwaitExpression)", message: NO_SPIN },
  { selector: 'DoWhileStatement:has(AwaitExpression) > ExpressionStatement.body', message: NO_SPIN },
];

export default defineConfig(
  {
    ignores: [
      '**/dist/',
      'dist.new-*/',
      'coverage/',
      'node_modules/',
      'bench/.build/',
      'bench/results/',
      '**/test/fixtures/',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommended],
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-syntax': ['error', NO_DEFAULT_EXPORT],
    },
  },
  // Vite loads it by its default export.
  { files: ['web/vite.config.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['**/*.{mjs,js}'],
    languageOptions: {
      globals: Object.fromEntries(
        ['process', 'console', 'URL', 'Buffer', 'fetch', 'performance'].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    rules: {
      eqeqeq: 'error',
      'max-lines': ['error', { max: MAX_FILE_LINES }],
      // Control characters are what terminals are about.
      'no-control-regex': 'off',
      'no-empty': ['error', { allowEmptyCatch: false }],
      'prefer-const': 'error',
    },
  },
  {
    files: ['scripts/jest/*.cjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: Object.fromEntries(['require', 'module', 'process', '__filename'].map((name) => [name, 'readonly'])),
    },
  },
  { files: ['src/**/*.ts'], rules: { 'no-console': 'error' } },
  {
    files: ['src/**/*.test.ts', 'test/**/*.ts', 'packages/*/test/**/*.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-syntax': ['error', NO_DEFAULT_EXPORT, ...NO_TIMERS],
    },
  },
  // The one place of tests that may use a timer.
  { files: ['test/eventually.ts'], rules: { 'no-restricted-syntax': ['error', NO_DEFAULT_EXPORT] } },
  // What a test runner loads by its default export.
  { files: ['scripts/test-{sequencer,reporter}.mjs'], rules: { 'no-restricted-syntax': 'off' } },
  prettier,
);
