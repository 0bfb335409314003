/**
 * Generates JSON documents as people write them, for property tests: with arbitrary whitespace, comments, trailing
 * commas and line endings.
 */
import fc from 'fast-check';

interface Style {
  readonly lineEnd: string;
  /** Trivia, used in turn. */
  readonly trivia: readonly string[];
  readonly hasTrailingCommas: boolean;
}

const trivia = fc.constantFrom(
  '',
  '',
  ' ',
  '\t',
  '  ',
  '\n',
  '\n    ',
  '// a note\n',
  ' // {"x"\n  ',
  '/* "y": */',
  '/*\n*/ ',
);
const style: fc.Arbitrary<Style> = fc.record({
  lineEnd: fc.constantFrom('\n', '\r\n'),
  trivia: fc.array(trivia, { minLength: 1, maxLength: 12 }),
  hasTrailingCommas: fc.boolean(),
});

/** Any value, except those that its text would not preserve. */
const value = fc.jsonValue({ maxDepth: 2 });
const keyed = (values: fc.Arbitrary<unknown>) => fc.dictionary(fc.string({ maxLength: 6 }), values, { maxKeys: 3 });

/** A document with servers below `container`: none, an empty object, or some. */
export function documentsWith(container: string, name: string): fc.Arbitrary<string> {
  const servers = keyed(value).map((object) => without(object, name));
  const root = fc
    .tuple(keyed(value), fc.option(servers), fc.boolean())
    .map(([others, own, isFirst]) => put(without(others, container), container, own, isFirst));
  return fc.tuple(root, style).map(([object, how]) => written(object, how));
}

type Object_ = Readonly<Record<string, unknown>>;

function without(object: Object_, key: string): Object_ {
  return Object.fromEntries(Object.entries(object).filter(([other]) => other !== key));
}

function put(object: Object_, key: string, own: unknown, isFirst: boolean): Object_ {
  if (own === null) return object;
  return isFirst ? { [key]: own, ...object } : { ...object, [key]: own };
}

function written(root: Object_, { lineEnd, trivia, hasTrailingCommas }: Style): string {
  let next = 0;
  const blank = () => trivia[next++ % trivia.length]!;
  const show = (part: unknown): string => {
    if (Array.isArray(part)) return list('[', part.map(show), ']');
    if (typeof part !== 'object' || part === null) return JSON.stringify(part);
    const pairs = Object.entries(part).map(([key, item]) => `${JSON.stringify(key)}${blank()}:${blank()}${show(item)}`);
    return list('{', pairs, '}');
  };
  const list = (open: string, items: readonly string[], close: string): string => {
    const body = items.map((item) => blank() + item + blank()).join(',');
    const comma = hasTrailingCommas && items.length > 0 ? `,${blank()}` : '';
    return open + (items.length > 0 ? body + comma : blank()) + close;
  };
  return (blank() + show(root) + blank()).replaceAll('\n', lineEnd);
}
