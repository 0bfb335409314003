/** Tests that the tool's schema uses only what every model API accepts, as `inspector --strict` checks. */
import { ARGUMENTS_JSON_SCHEMA } from '../../src/mcp/arguments.js';

const EVERYWHERE = [
  ...['type', 'properties', 'additionalProperties', 'items', 'enum', 'default', 'description'],
  ...['minimum', 'maximum'],
];

/** Returns every schema within a schema, with its path. */
function schemasIn(
  schema: Record<string, unknown>,
  at = 'the argument',
): [at: string, schema: Record<string, unknown>][] {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Record<string, unknown>>);
  const items = schema['items'] as Record<string, unknown> | undefined;
  return [
    [at, schema],
    ...properties.flatMap(([name, property]) => schemasIn(property, name)),
    ...(items ? schemasIn(items, `${at}[]`) : []),
  ];
}

it.each(schemasIn(ARGUMENTS_JSON_SCHEMA))('of %s', (_at, schema) => {
  expect(Object.keys(schema).filter((key) => !EVERYWHERE.includes(key))).toEqual([]);
  expect(['object', 'array', 'string', 'integer', 'number', 'boolean']).toContain(schema['type']);
});
