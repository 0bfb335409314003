/**
 * Tests that `tenacitty acp proxy` answers each terminal request of an agent exactly once, with its id, whatever it
 * contains.
 */
import fc from 'fast-check';
import { sharedPlace } from '../cli/place.js';
import type { Place } from '../cli/place.js';
import type { ProxyWithFakeAgent } from './proxied.js';
import { begun, rpc, SESSION } from './proxied-session.js';
import { runs } from '../deep.js';

let place: Place;
let between: ProxyWithFakeAgent;
beforeEach(async () => {
  place = await sharedPlace();
  between = await begun(place);
});
afterEach(async () => {
  await between.close();
  await place.clear();
});

const json = fc.jsonValue({ maxDepth: 2 });
/** The correct value, any other, or none. */
const rather = (right: string) => fc.option(fc.oneof(fc.constant(right), json), { nil: undefined });
const params = fc.oneof(
  json,
  fc.record({
    ...{ sessionId: rather(SESSION), terminalId: rather('no-such'), command: rather('true'), cwd: rather('/') },
    ...{ args: fc.option(json), env: fc.option(json), outputByteLimit: fc.option(json), _meta: fc.option(json) },
  }),
);
/** Some ids are equal, and ids are of any type. */
const id = fc.oneof(
  fc.constantFrom('1', '"1"', 'null', '1.0', '-0', '1e3', '"\\u0031"', '[]', '{"a":[1]}'),
  json.map(asText),
);
const request = fc.record({
  id,
  method: fc.constantFrom('create', 'output', 'wait_for_exit', 'kill', 'release'),
  params,
});

function asText(value: unknown): string {
  return JSON.stringify(value);
}

it('answers each once, without involving the editor', async () => {
  const { agent, editor } = between;
  const answered = fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 20 }), async (requests) => {
    for (const { id, method, params } of requests)
      agent.input.write(`{"jsonrpc":"2.0","id":${id},"method":"terminal/${method}","params":${asText(params)}}\n`);
    const ids: string[] = [];
    for (const _ of requests) {
      const line = await agent.line();
      expect(line).toMatch(/^\{"jsonrpc":"2.0","id":.*,"(result|error)":\{/);
      ids.push(/^\{"jsonrpc":"2.0","id":(.*?),"(?:result":\{|error":\{"code":)/.exec(line)![1]!);
    }
    expect(ids.sort()).toEqual(requests.map(({ id }) => id).sort());
    agent.say(rpc({ method: 'the/end' }));
    expect(await editor.hears()).toEqual(rpc({ method: 'the/end' }));
  });
  await fc.assert(answered, { numRuns: runs({ normal: 20, deep: 60 }) });
});
