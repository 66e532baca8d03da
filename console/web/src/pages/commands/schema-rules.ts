import type { Schema } from '../../api/api.commands.ts';

/** How a field of a schema is shown. */
export type FieldKind =
  | { kind: 'constant'; value: unknown }
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'boolean' }
  | { kind: 'number'; isInteger: boolean }
  | { kind: 'instant' }
  | { kind: 'date' }
  | { kind: 'text'; isLong: boolean }
  | { kind: 'reference'; to: readonly string[] }
  | { kind: 'list'; items: Schema }
  | {
      kind: 'object';
      properties: readonly (readonly [string, Schema])[];
      required: readonly string[];
    }
  | { kind: 'union'; literal: string | null; options: readonly Schema[] }
  | { kind: 'json' };

/** Texts of this length or more get several lines. */
const longText = 500;

/**
 * Replaces a reference by what it names, merges `allOf`, and drops `null` of a union: an empty
 * field is null.
 */
export function resolve(schema: Schema, root: Schema): Schema {
  if (schema.$ref !== undefined) {
    const target = root.$defs?.[schema.$ref.replace('#/$defs/', '')];
    const { $ref: _, ...rest } = schema;
    return target ? resolve({ ...target, ...rest }, root) : {};
  }
  if (schema.allOf !== undefined) {
    const { allOf, ...rest } = schema;
    return Object.assign({}, rest, ...allOf.map((part) => resolve(part, root)));
  }
  const options = schema.anyOf ?? schema.oneOf;
  const present = options?.filter(({ type }) => type !== 'null');
  if (options && present && present.length < options.length && present.length === 1) {
    const { anyOf: _, oneOf: __, ...rest } = schema;
    return { ...resolve(present[0] ?? {}, root), ...rest };
  }
  return schema;
}

/** The fields of a command, those that it needs before the optional ones. */
export function requiredFirst({ properties = {}, required = [] }: Schema): [string, Schema][] {
  const isOptional = ([name]: [string, Schema]) => !required.includes(name);
  return Object.entries(properties).toSorted(
    (one, other) => Number(isOptional(one)) - Number(isOptional(other)),
  );
}

export const isNullable = (schema: Schema): boolean =>
  (schema.anyOf ?? schema.oneOf ?? []).some(({ type }) => type === 'null') ||
  (Array.isArray(schema.type) && schema.type.includes('null'));

/** Decides how a schema is shown. What fits nothing else is edited as JSON. */
export function decideKind(input: Schema, root: Schema): FieldKind {
  const schema = resolve(input, root);
  if (schema.const !== undefined) return { kind: 'constant', value: schema.const };
  if (schema['x-references'] !== undefined)
    return { kind: 'reference', to: schema['x-references'] };
  if (schema.enum?.every((value) => typeof value === 'string')) {
    return { kind: 'choice', values: schema.enum as string[] };
  }
  const options = schema.anyOf ?? schema.oneOf;
  if (options) {
    const visible = options
      .map((option) => resolve(option, root))
      .filter(({ type }) => type !== 'null');
    return { kind: 'union', literal: literalOf(visible), options: visible };
  }
  const type = Array.isArray(schema.type)
    ? schema.type.find((each) => each !== 'null')
    : schema.type;
  return kindOfType(schema, type);
}

function kindOfType(schema: Schema, type: unknown): FieldKind {
  switch (type) {
    case 'boolean':
      return { kind: 'boolean' };
    case 'integer':
    case 'number':
      return { kind: 'number', isInteger: type === 'integer' };
    case 'array':
      return { kind: 'list', items: schema.items ?? {} };
    case 'object':
      return schema.properties
        ? {
            kind: 'object',
            properties: Object.entries(schema.properties),
            required: schema.required ?? [],
          }
        : { kind: 'json' };
    case 'string':
      if (schema.format === 'date-time') return { kind: 'instant' };
      if (schema.format === 'date') return { kind: 'date' };
      return { kind: 'text', isLong: (schema.maxLength ?? 0) >= longText };
    default:
      return { kind: 'json' };
  }
}

/** The property that tells the options of a union apart: it has another constant in each. */
export function literalOf(options: readonly Schema[]): string | null {
  const [first] = options;
  const names = Object.entries(first?.properties ?? {})
    .filter(([, property]) => property.const !== undefined || property.enum !== undefined)
    .map(([name]) => name);
  return (
    names.find((name) =>
      options.every((option) => {
        const property = option.properties?.[name];
        return property?.const !== undefined || property?.enum !== undefined;
      }),
    ) ?? null
  );
}

/** The values with which a field begins: its default, the constant, or nothing. */
export function initialValue(schema: Schema, root: Schema, isRequired: boolean): unknown {
  const resolved = resolve(schema, root);
  if (resolved.default !== undefined) return resolved.default;
  const kind = decideKind(schema, root);
  if (kind.kind === 'constant') return kind.value;
  if (!isRequired) return undefined;
  if (kind.kind === 'boolean') return false;
  if (kind.kind === 'list') return [];
  if (kind.kind === 'object') return initialObject(kind, root);
  if (kind.kind === 'union') return initialValue(kind.options[0] ?? {}, root, true);
  return undefined;
}

export function initialObject(
  { properties, required }: Extract<FieldKind, { kind: 'object' }>,
  root: Schema,
): Record<string, unknown> {
  const entries = properties.map(
    ([name, property]) => [name, initialValue(property, root, required.includes(name))] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/**
 * The input that is sent: without empty fields that are optional. Empty text of a nullable field is
 * null.
 */
export function toInput(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toInput);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, toInput(each)] as const);
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined && each !== ''));
}
