import { z } from 'zod';

/** One field of a schema. A field in a variant of a union counts as one field of all variants. */
export interface Field {
  /**
   * Its JSON types, sorted: `string`, `integer`, `null`, `object`, … `any` if its schema does not
   * say.
   */
  types: readonly string[];
  /** All its values, sorted, if the schema lists them. */
  values?: readonly string[];
  /** It may be absent, in all variants or because a variant does not have it. */
  isOptional?: true;
}

/**
 * The fields of a schema by path: `registration.status`, `items[].quantity`. The schema itself has
 * the path ''.
 */
export type Fields = Record<string, Field>;

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * The fields of a schema: `input` as it is accepted, where a field with a default is optional, or
 * `output` as it is sent. Limits, patterns and descriptions are left out. The schema itself gets
 * the path `path`.
 */
export function fieldsOf(schema: z.ZodType, io: 'input' | 'output', path = ''): Fields {
  const json = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return flatten(path, json, json.$defs ?? {}, []);
}

function flatten(
  path: string,
  schema: JsonSchema,
  definitions: Record<string, JsonSchema>,
  parents: readonly string[],
): Fields {
  const { $ref, anyOf, oneOf } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice('#/$defs/'.length);
    // A definition that contains itself ends here: its fields are already listed.
    if ($ref === '#' || parents.includes(name)) return { [path]: { types: ['object'] } };
    return flatten(path, definitions[name] ?? {}, definitions, [...parents, name]);
  }
  const variants = anyOf ?? oneOf;
  if (variants !== undefined) {
    return variants
      .map((variant) => flatten(path, variant as JsonSchema, definitions, parents))
      .reduce(mergeVariants);
  }
  const below = (at: string, child: unknown) =>
    flatten(at, child as JsonSchema, definitions, parents);
  const required = new Set(schema.required ?? []);
  const children = Object.entries(schema.properties ?? {}).map(([name, child]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const own = below(at, child);
    const field = own[at] ?? { types: ['any'] };
    return required.has(name) ? own : { ...own, [at]: { ...field, isOptional: true as const } };
  });
  const { items, additionalProperties } = schema;
  return Object.assign(
    { [path]: fieldOf(schema) },
    ...children,
    items === undefined ? {} : below(`${path}[]`, items),
    typeof additionalProperties === 'object' ? below(`${path}{}`, additionalProperties) : {},
  );
}

function fieldOf({ type, enum: values, const: value }: JsonSchema): Field {
  const listed = value === undefined ? values : [value];
  const types = [type ?? (listed ? [...new Set(listed.map((each) => typeof each))] : 'any')].flat();
  return {
    types: types.toSorted(),
    ...(listed && { values: listed.map(String).toSorted() }),
  };
}

const union = (one: readonly string[], other: readonly string[]) =>
  [...new Set([...one, ...other])].toSorted();

function mergeVariants(left: Fields, right: Fields): Fields {
  const paths = union(Object.keys(left), Object.keys(right));
  return Object.fromEntries(
    paths.map((path) => {
      const [one, other] = [left[path], right[path]];
      if (one && other) return [path, mergeFields(one, other)];
      return [path, { ...((one ?? other) as Field), isOptional: true as const }];
    }),
  );
}

function mergeFields(one: Field, other: Field): Field {
  // `null` beside a list of values adds a type, not a value.
  const lists = [one, other].filter(({ types }) => types.join() !== 'null');
  const values = lists.every((each) => each.values)
    ? lists.map((each) => each.values ?? []).reduce(union, [])
    : [];
  return {
    types: union(one.types, other.types),
    ...(values.length > 0 && { values }),
    ...((one.isOptional || other.isOptional) && { isOptional: true as const }),
  };
}
