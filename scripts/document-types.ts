/**
 * Adds the descriptions of the schemas to the published types: rewrites each type that is derived from a schema as
 * plain fields, each with the text that the OpenAPI document has for it. Editors show no texts for derived types.
 *
 * Usage: tsx scripts/document-types.ts [DIRECTORY of the declarations; default: dist]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import ts from 'typescript';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '..');
const DERIVED = /^export type (\w+) = z\.(?:infer|input|output)<typeof (\w+)>;$/gm;
const FORMAT =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType |
  ts.TypeFormatFlags.InTypeAlias;

/** The declarations of one file, with its checker. */
interface Source {
  readonly checker: ts.TypeChecker;
  readonly file: ts.SourceFile;
}

const directory = resolve(process.argv[2] ?? join(ROOT, 'dist'));
const names = readNames(join(directory, 'contract'));
const program = ts.createProgram(names, { module: ts.ModuleKind.NodeNext, strict: true, skipLibCheck: true });
const rewritten = await Promise.all(names.map(async (name) => [name, await documented(name)] as const));
for (const [name, text] of rewritten) writeFileSync(name, text);

function readNames(folder: string): string[] {
  return ts.sys.readDirectory(folder, ['.d.ts']).filter((name) => !name.endsWith('.test.d.ts'));
}

/** Returns the text of a file of declarations, with its derived types rewritten. */
async function documented(name: string): Promise<string> {
  const module = (await import(join(ROOT, 'src', 'contract', `${basename(name, '.d.ts')}.ts`))) as object;
  const schemas = module as Readonly<Record<string, unknown>>;
  const source = { checker: program.getTypeChecker(), file: program.getSourceFile(name)! };
  return readFileSync(name, 'utf8').replace(DERIVED, (line, type: string, schemaName: string) => {
    const schema = objectIn(schemas[schemaName]);
    const alias = source.file.statements.find((one) => ts.isTypeAliasDeclaration(one) && one.name.text === type);
    if (schema === undefined || alias === undefined) return line;
    const fields = fieldsOf(
      source,
      source.checker.getTypeAtLocation((alias as ts.TypeAliasDeclaration).name),
      schema,
      '  ',
    );
    return fields === undefined ? line : `export type ${type} = ${fields};`;
  });
}

/** Returns the object schema that a schema wraps (optional, nullable, with a default), if it is one. */
function objectIn(schema: unknown): z.ZodObject | undefined {
  if (schema instanceof z.ZodObject) return schema;
  const { innerType } = ((schema as z.ZodType | undefined)?.def ?? {}) as { innerType?: unknown };
  return innerType === undefined ? undefined : objectIn(innerType);
}

/** Returns an object type with the description of each field, or undefined if the type is not a plain object. */
function fieldsOf({ checker, file }: Source, type: ts.Type, schema: z.ZodObject, indent: string): string | undefined {
  if (type.isUnion() || checker.getIndexInfosOfType(type).length > 0) return undefined;
  const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
  const fields = checker.getPropertiesOfType(type).map((property) => {
    const [field, name] = [shape[property.name], property.name];
    const mark = (property.flags & ts.SymbolFlags.Optional) === 0 ? '' : '?';
    const own = checker.getTypeOfSymbolAtLocation(property, file);
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${commentOf(field, indent)}${indent}${key}${mark}: ${typeText({ checker, file }, own, field, indent)};\n`;
  });
  return `{\n${fields.join('')}${indent.slice(2)}}`;
}

/** Returns the text of a type, with descriptions in it if it is an object, possibly null. */
function typeText(source: Source, type: ts.Type, field: z.ZodType | undefined, indent: string): string {
  const schema = objectIn(field);
  const plain = () => source.checker.typeToString(type, source.file, FORMAT);
  if (schema === undefined) return plain();
  const parts = type.isUnion() ? type.types : [type];
  const objects = parts.filter((part) => (part.flags & ts.TypeFlags.Object) !== 0);
  if (objects.length !== 1) return plain();
  const fields = fieldsOf(source, objects[0]!, schema, `${indent}  `);
  const others = parts.filter((part) => part !== objects[0]).map((part) => source.checker.typeToString(part));
  return fields === undefined ? plain() : [fields, ...others].join(' | ');
}

function commentOf(field: z.ZodType | undefined, indent: string): string {
  const text = descriptionOf(field);
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n`;
}

function descriptionOf(field: unknown): string | undefined {
  const schema = field as z.ZodType | undefined;
  if (schema?.description !== undefined) return schema.description;
  const { innerType } = (schema?.def ?? {}) as { innerType?: unknown };
  return innerType === undefined ? undefined : descriptionOf(innerType);
}
