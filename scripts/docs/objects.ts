/**
 * Finds the objects that several routes accept or return, so that `docs/objects.md` can describe each of them once.
 * Pure.
 */
import type { z } from 'zod';
import { inlineSchema, namedParts, type JsonSchema } from '../../src/http/docs/json-schema.js';
import { dataSchema, partsOf, type SchemaNamer } from '../../src/http/docs/reference.js';
import type { Route } from '../../src/http/route.js';

export interface SharedObjects {
  /** Returns the name of a shared object, or undefined. */
  readonly nameOf: SchemaNamer;
  /** Objects in responses, keyed by name. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  /**
   * Objects that are a complete request body, keyed by name. The value is the summary of the route that accepts the
   * object.
   */
  readonly bodies: ReadonlyMap<string, string>;
}

export function sharedObjects(routes: readonly Route[]): SharedObjects {
  const names = new Map(
    namedParts().flatMap(([name, part]) => identitiesOf(part).map((each) => [each, name] as const)),
  );
  const known: SchemaNamer = (schema) => names.get(identityOf(schema));
  const bodies = bodiesOf(routes, known);
  const schemas = answersOf(routes, known);
  const nameOf: SchemaNamer = (schema) => {
    const name = known(schema);
    return name !== undefined && (bodies.has(name) || schemas.has(name)) ? name : undefined;
  };
  return { nameOf, schemas, bodies };
}

function bodiesOf(routes: readonly Route[], known: SchemaNamer): Map<string, string> {
  const taken = routes.flatMap(({ body, summary }): [string | undefined, string][] =>
    body ? [[known(inlineSchema(body, 'input')), summary]] : [],
  );
  return new Map(taken.reverse().flatMap(([name, summary]) => (name === undefined ? [] : [[name, summary]])));
}

/** Returns the objects that are part of a response, or that are the whole data of several responses. */
function answersOf(routes: readonly Route[], known: SchemaNamer): Map<string, JsonSchema> {
  const answers = routes.map(dataSchema).filter((data) => data !== undefined);
  const repeated = answers.filter((data, index) =>
    answers.slice(0, index).some((other) => known(other) === known(data)),
  );
  const named = [...answers.flatMap(partsWithin), ...repeated].map((schema) => [known(schema), schema] as const);
  return new Map(named.flatMap(([name, schema]) => (name === undefined ? [] : [[name, schema]])));
}

/** Returns all objects nested in a schema. */
function partsWithin({ properties = {} }: JsonSchema): JsonSchema[] {
  const parts = Object.values(properties).flatMap((field) => partsOf(field as JsonSchema));
  return parts.flatMap(([part]) => [part, ...partsWithin(part)]);
}

/**
 * Returns the identities of a part. There are two if fields have defaults: the input schema then allows callers to omit
 * them, and the output schema does not.
 */
function identitiesOf(part: z.ZodType): string[] {
  return [identityOf(inlineSchema(part, 'input')), identityOf(inlineSchema(part, 'output'))];
}

/** Returns the same identity for objects with the same fields, whatever the description of the object itself. */
function identityOf({ description: _description, ...schema }: JsonSchema): string {
  return JSON.stringify(schema);
}
