import type { Operation } from '@event-api/contracts/operation';
import { z } from 'zod';

/** The part of JSON Schema that request bodies use. */
interface Shape {
  type?: string;
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
  additionalProperties?: boolean | Shape;
  enum?: unknown[];
  example?: unknown;
  $ref?: string;
  $defs?: Record<string, Shape>;
  /** The kinds of records that an id can name. */
  'x-references'?: readonly string[];
}

export type Step = string | number;

/** The bytes of a body, and whether the contract accepts it. */
export interface Body {
  json: string;
  isAccepted: boolean;
}

const shapeOf = ({ schema }: Operation): Shape =>
  z.toJSONSchema(schema.body ?? z.object({}), { io: 'input', unrepresentable: 'any' }) as Shape;

/** The names of the fields of a part of a request. */
export function fieldNamesOf(part: z.ZodType | undefined): string[] {
  if (!part) return [];
  const root = z.toJSONSchema(part, { io: 'input', unrepresentable: 'any' }) as Shape;
  return Object.keys(resolved(root, root).properties ?? {});
}

/**
 * Returns the smallest valid body: the required fields, with the example values of the reference.
 */
export function smallestBody(operation: Operation): unknown {
  return sample(shapeOf(operation), shapeOf(operation));
}

/**
 * Returns bodies with one invalid value each, for every field of an operation's body and for the
 * body itself.
 */
export function wrongBodies(operation: Operation): Body[] {
  const root = shapeOf(operation);
  return fieldsOf(root, root).flatMap((steps) => {
    const body = JSON.stringify(withMarkAt(sample(root, root), root, root, steps));
    return values.map((value) =>
      validatedBody(
        operation,
        body.replace('"@"', () => value),
      ),
    );
  });
}

/** Bytes that are not JSON or that no operation accepts. */
export const brokenBodies: readonly (string | Buffer | undefined)[] = [
  undefined,
  '',
  '{',
  '{"name":}',
  '{"name":NaN}',
  "{'name':'x'}",
  '\ufeff{}',
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
];

/**
 * Returns the smallest body with one unknown field, at each level in turn, with the field's path in
 * the error.
 */
export function bodiesWithUnknownField(operation: Operation, smallest: unknown): UnknownField[] {
  const root = shapeOf(operation);
  const objects = fieldsOf(root, root).filter((steps) => isObject(root, root, steps));
  return objects.map((steps) => {
    const path = [...steps, 'unexpected'];
    return { field: pathText(path), json: JSON.stringify(withMarkAt(smallest, root, root, path)) };
  });
}

export interface UnknownField {
  field: string;
  json: string;
}

function isObject(shape: Shape, root: Shape, [step, ...rest]: Step[]): boolean {
  const { type, additionalProperties } = resolved(shape, root);
  // A free-form object accepts any field.
  if (step === undefined) return type === 'object' && typeof additionalProperties !== 'object';
  return isObject(childOf(shape, root, step), root, rest);
}

/** A field of a body that contains the id of a record. */
export interface IdField {
  /** Its path: `['doors', 0, 'subjectId']`. */
  steps: readonly Step[];
  /** The name of the field, or of the list. */
  name: string;
  /** The kinds of records that it can name, if the contract says it. */
  kinds: readonly string[];
}

/**
 * Returns the fields of a body that contain ids, by their names or because the contract says which
 * records they name.
 */
export function idFieldsOf(operation: Operation): IdField[] {
  const root = shapeOf(operation);
  return fieldsOf(root, root).flatMap((steps) => {
    const name = String(steps.findLast((step) => typeof step === 'string') ?? '');
    const shape = steps.reduce<Shape>((parent, step) => childOf(parent, root, step), root);
    const { type, 'x-references': kinds = [] } = resolved(shape, root);
    const isId = type === 'string' && (kinds.length > 0 || /^id$|Ids?$/.test(name));
    return isId ? [{ steps, name, kinds }] : [];
  });
}

/** Returns the value of a field of a body, if it has one. */
export const valueAt = (body: unknown, steps: readonly Step[]): unknown =>
  steps.reduce<unknown>(
    (value, step) => (value as Record<Step, unknown> | undefined)?.[step],
    body,
  );

/**
 * Returns a body with a value in one field. The missing objects and entries above it are created.
 */
export function bodyWith(
  operation: Operation,
  body: unknown,
  steps: readonly Step[],
  value: string,
): unknown {
  const root = shapeOf(operation);
  const marked = JSON.stringify(withMarkAt(body, root, root, [...steps]));
  return JSON.parse(marked.replace('"@"', () => JSON.stringify(value)));
}

const childOf = (parent: Shape, root: Shape, step: Step): Shape => {
  const { items, properties } = resolved(parent, root);
  return (typeof step === 'number' ? items : properties?.[step]) ?? {};
};

const pathText = (steps: Step[]): string =>
  steps.reduce<string>((before, step) => {
    if (typeof step === 'number') return `${before}[${step}]`;
    return before ? `${before}.${step}` : step;
  }, '');

// JSON text instead of values: some of them cannot be represented as JavaScript values.
const values = [
  '"text"',
  '""',
  '"   "',
  '12',
  '-1',
  '12.5',
  '2147483648',
  '9007199254740993',
  '1e999',
  '-1e999',
  'true',
  'null',
  '[]',
  '[null]',
  '{}',
  '{"__proto__":null}',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\u{1f3ab}"',
  `"${'x'.repeat(100_000)}"`,
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
];

function validatedBody(operation: Operation, json: string): Body {
  return { json, isAccepted: operation.schema.body?.safeParse(JSON.parse(json)).success ?? true };
}

/** Returns the paths to the body itself and to all its fields. */
function fieldsOf(shape: Shape, root: Shape): Step[][] {
  const { properties = {}, items } = resolved(shape, root);
  const inside = [...Object.entries(properties), ...(items ? [[0, items] as const] : [])];
  return [
    [],
    ...inside.flatMap(([step, child]) => fieldsOf(child, root).map((rest) => [step, ...rest])),
  ];
}

/** Returns `value` with the mark "@" at the end of `steps`, and creates the missing parents. */
function withMarkAt(value: unknown, shape: Shape, root: Shape, steps: Step[]): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return '@';
  const child = childOf(shape, root, step);
  const present = (value as Record<Step, unknown> | undefined)?.[step] ?? sample(child, root);
  const marked = withMarkAt(present, child, root, rest);
  return typeof step === 'number' ? [marked] : { ...(value as object), [step]: marked };
}

function sample(shape: Shape, root: Shape): unknown {
  const { type, properties = {}, required = [], enum: words, example } = resolved(shape, root);
  if (example !== undefined) return example;
  if (words) return words[0];
  if (type === 'object') {
    return Object.fromEntries(required.map((name) => [name, sample(properties[name] ?? {}, root)]));
  }
  if (type === 'array') return [];
  return { string: 'text', integer: 1, number: 1, boolean: true }[type ?? ''] ?? null;
}

/** Resolves references and the non-null variant of nullable schemas. */
function resolved(shape: Shape, root: Shape): Shape {
  if (shape.$ref) return resolved(root.$defs?.[shape.$ref.split('/').at(-1) ?? ''] ?? root, root);
  const other = (shape.anyOf ?? shape.oneOf)?.find(({ type }) => type !== 'null');
  return other
    ? { ...resolved(other, root), ...(shape.example !== undefined && { example: shape.example }) }
    : shape;
}
