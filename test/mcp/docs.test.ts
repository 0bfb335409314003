/** Tests docs/mcp.md: its examples return what it shows, and its table contains every argument with its default. */
import { readFileSync } from 'node:fs';
import { ARGUMENTS_JSON_SCHEMA } from '../../src/mcp/arguments.js';
import { Place } from '../cli/place.js';
import { Agent } from './client.js';
import type { AgentAnswer } from './client.js';

const document = readFileSync('docs/mcp.md', 'utf8');

interface Block {
  readonly language: string;
  readonly body: string;
}

const blocks = [...document.matchAll(/^```(json|text)\n([^]*?)\n```$/gm)].map(([, language, body]): Block => ({
  language: language!,
  body: body!,
}));

type Example = { readonly call: string; readonly text?: string; readonly meta?: string };

/** A call, then the metadata, then the text of its answer, as far as the page shows them. */
function examplesOf([call, ...rest]: readonly Block[]): Example[] {
  if (call === undefined) return [];
  const next = rest.findIndex(isCall);
  const answer = rest.slice(0, next < 0 ? rest.length : next);
  const meta = answer.find(({ language }) => language === 'json')?.body;
  const text = answer.find(({ language }) => language === 'text')?.body;
  const example = { call: call.body, ...(text !== undefined && { text }), ...(meta !== undefined && { meta }) };
  return [example, ...examplesOf(rest.slice(answer.length))];
}

function isCall({ language, body }: Block): boolean {
  return language === 'json' && /"(?:action|command)": /.test(body);
}

/** Removes what differs between runs. */
const timeless = (text: string) =>
  text.replace(/"duration_ms":\d+/, '"duration_ms":0').replace(/for \d+ s:/, 'for 0 s:');

const examples = examplesOf(blocks);
const answers: Promise<AgentAnswer>[] = [];
let place: Place;
let agent: Agent;
beforeAll(async () => {
  place = await new Place().ready();
  agent = await Agent.start(place);
});
afterAll(async () => {
  await agent.close();
  await place.close();
});

/** Examples on the page build on each other, so earlier ones are called first if they have not been yet. */
function answerTo(index: number): Promise<AgentAnswer> {
  const call = async () => {
    if (index > 0) await answerTo(index - 1);
    return agent.call(JSON.parse(examples[index]!.call) as Record<string, unknown>);
  };
  return (answers[index] ??= call());
}

it('contains examples', () => expect(examples.length).toBeGreaterThan(12));

it.each(examples.map(({ call, ...told }, index) => [call.replaceAll('\n', ' '), index, told] as const))(
  'returns what the page says: %s',
  async (_call, index, { text, meta }) => {
    const answer = await answerTo(index);
    if (text !== undefined) expect(timeless(answer.text.trimEnd())).toEqual(timeless(text));
    if (meta !== undefined) {
      expect(JSON.parse(timeless(String(answer.content[0]!['text'])))).toEqual(JSON.parse(timeless(meta)));
    }
  },
);

it('contains every argument, with its default', () => {
  const properties = ARGUMENTS_JSON_SCHEMA['properties'] as Record<string, { default?: unknown }>;
  const [table] = /## The tool[^]*?## Responses/.exec(document)!;
  const rows = [...table.matchAll(/^\| (`[^|]+) \| ([^|]+) \|/gm)];
  const told = new Map(
    rows.flatMap(([, names, defaults]) => {
      const values = defaults!.split(', ');
      return names!
        .split(', ')
        .map((name, i): [string, string] => [
          name.replaceAll('`', ''),
          (values[i] ?? values[0]!).replaceAll('`', '').trim(),
        ]);
    }),
  );
  for (const [name, { default: value }] of Object.entries(properties)) {
    expect(told.keys()).toContain(name);
    if (value !== undefined) expect({ name, value: told.get(name) }).toEqual({ name, value: String(value as string) });
  }
});
