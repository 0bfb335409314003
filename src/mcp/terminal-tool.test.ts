/** The description of the tool for models: cheap, and readable by every client. */
import { countTokens } from 'gpt-tokenizer';
import { ACTIONS } from './arguments.js';
import { ARGUMENTS_JSON_SCHEMA, TOOL_ANNOTATIONS, TOOL_DESCRIPTION, TOOL_NAME } from './terminal-tool.js';

const MAX_TOKENS = 900;
/** Minimum length that clients show if they find tools by their description. */
const FIRST_CHARS = 150;

type Property = Readonly<Record<string, unknown>>;
const properties = ARGUMENTS_JSON_SCHEMA['properties'] as Record<string, Property>;

it('costs a model no more tokens than allowed', () => {
  const entry = {
    name: TOOL_NAME,
    description: TOOL_DESCRIPTION,
    inputSchema: ARGUMENTS_JSON_SCHEMA,
    annotations: TOOL_ANNOTATIONS,
  };
  expect(countTokens(JSON.stringify(entry))).toBeLessThanOrEqual(MAX_TOKENS);
});

it('is flat, with one plain type for each argument and nothing that only some clients support', () => {
  for (const [name, { type, ...rest }] of Object.entries(properties)) {
    expect({ name, type }).toEqual({ name, type: expect.stringMatching(/^(string|integer|boolean|array)$/) });
    const known = ['default', 'description', 'enum', 'items', 'minimum', 'maximum'];
    expect(Object.keys(rest).filter((key) => !known.includes(key))).toEqual([]);
  }
  expect(ARGUMENTS_JSON_SCHEMA).toMatchObject({ type: 'object' });
  // Clients that enforce it would report errors in their own words.
  expect(ARGUMENTS_JSON_SCHEMA).not.toHaveProperty('additionalProperties');
  expect(ARGUMENTS_JSON_SCHEMA['required']).toBeUndefined();
});

it('has the parameters and defaults of the original tool', () => {
  expect(properties).toMatchObject({
    action: { type: 'string', default: 'EXEC', enum: ACTIONS },
    terminal: { type: 'integer', default: 0 },
    command: { type: 'string' },
    await_completion_ms: { type: 'integer', default: 300_000 },
    clear: { type: 'boolean', default: true },
    tail: { type: 'integer', default: 2000, maximum: 2000 },
  });
});

it('states each default in its description, too, because some clients drop the property', () => {
  for (const { default: value, description } of Object.values(properties)) {
    if (value !== undefined) expect(description).toContain(`(default ${String(value as string)})`);
  }
});

it('states its purpose in its first words', () => {
  const first = TOOL_DESCRIPTION.slice(0, FIRST_CHARS);
  for (const word of ['shell commands', 'builds', 'tests', 'git', 'persistent', 'parallel'])
    expect(first).toContain(word);
});
