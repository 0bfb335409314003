/** Tests that the check's schemas of answers equal the protocol's schema in the SDK. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { z } from 'zod';
import { ANSWERS, problemWith } from '../src/answers.js';
import type { TerminalMethod } from '../src/answers.js';

interface Definition {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly 'x-method'?: string;
}

const FILE = createRequire(import.meta.url).resolve('@agentclientprotocol/sdk/schema/v1/schema.json');
const { $defs } = JSON.parse(readFileSync(FILE, 'utf8')) as { $defs: Record<string, Definition> };
const METHODS = Object.keys(ANSWERS) as TerminalMethod[];

function responseOf(method: TerminalMethod): Definition {
  const [, found] = Object.entries($defs).find(
    ([name, definition]) => name.endsWith('Response') && definition['x-method'] === method,
  )!;
  return found;
}

it.each(METHODS)('%s has exactly the fields of the schema, with the same requirements', (method) => {
  const { properties = {}, required = [] } = responseOf(method);
  const ours = z.toJSONSchema(ANSWERS[method], { io: 'input' });
  expect(Object.keys(ours.properties!).sort()).toEqual(Object.keys(properties).sort());
  expect([...(ours.required ?? [])].sort()).toEqual([...required].sort());
});

const integers = fc.oneof(fc.integer({ min: -2, max: 300 }), fc.constantFrom(2 ** 32 - 1, 2 ** 32, 1.5, null, '0'));
const exit = fc.record(
  { exitCode: integers, signal: fc.constantFrom('SIGTERM', null, 15), _meta: fc.constantFrom(null, {}, 'x') },
  { requiredKeys: [] },
);
const answers = {
  'terminal/create': fc.record({ terminalId: fc.constantFrom('t', '', 1, null) }, { requiredKeys: [] }),
  'terminal/output': fc.record(
    { output: fc.constantFrom('', 'x', null), truncated: fc.constantFrom(true, 0), exitStatus: fc.option(exit) },
    { requiredKeys: [] },
  ),
  'terminal/wait_for_exit': exit,
  'terminal/kill': fc.constantFrom({}, null, { _meta: {} }, []),
  'terminal/release': fc.constantFrom({}, null, { _meta: {} }, []),
} as const satisfies Record<TerminalMethod, fc.Arbitrary<unknown>>;

it.each(METHODS)('%s is accepted or rejected as by the schema', (method) => {
  const schema = z.fromJSONSchema({ ...(responseOf(method) as object), $defs } as never);
  fc.assert(
    fc.property(answers[method], (answer) => {
      // The schema limits some numbers to 32 bits by a format, which validators ignore.
      const isTooLarge = JSON.stringify(answer).includes(String(2 ** 32));
      const isRight = schema.safeParse(answer).success && !isTooLarge;
      expect({ answer, problem: problemWith(method, answer) !== undefined }).toEqual({ answer, problem: !isRight });
    }),
  );
});

it.each(METHODS)('%s rejects unknown fields', (method) => {
  expect(problemWith(method, { terminalId: 't', output: '', truncated: false, pid: 1 })).toMatch(/pid/);
});
