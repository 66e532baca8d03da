import type { Operation } from '@event-api/contracts/operation';
import type { z } from 'zod';

/**
 * The fields that a request body may have, compiled once per route from its schemas. Null where
 * there is nothing to compare: in a scalar, or in free-form JSON such as the answers to a
 * registration form.
 */
export type AllowedFields = ObjectFields | ArrayFields | null;

/** `names` are the fields of the request; `fields` also has those of the response. */
export interface ObjectFields {
  kind: 'object';
  names: readonly string[];
  fields: ReadonlyMap<string, AllowedFields>;
}

interface ArrayFields {
  kind: 'array';
  item: AllowedFields;
}

/**
 * The allowed fields of an operation's body. A client may send back a record that it has read, so
 * the API knows the fields of the response, too (`readOnlyIssues`); an operator command accepts
 * only the fields of its request.
 */
export function allowedBodyFields({ schema, config }: Operation): AllowedFields {
  const resources = config.audience === 'api' ? Object.values(schema.response) : [];
  const records = resources.flatMap(recordsOf);
  if (!schema.body) return compileObject([], records.flatMap(alternatives));
  const isArray = alternatives(schema.body).some(({ type }) => type === 'array');
  return compile([schema.body], isArray ? records.flatMap(fieldsOf) : records);
}

/** The ids of the named schemas that an operation responds with, such as `Event`. */
export const recordIds = ({ schema, config }: Operation): readonly string[] =>
  config.recordId !== undefined
    ? [config.recordId]
    : Object.values(schema.response)
        .flatMap(recordsOf)
        .flatMap((record) => record.meta()?.id ?? []);

/** The allowed fields of a value that is validated by its own schema. */
export const allowedFields = (schema: z.ZodType): AllowedFields => compile([schema], []);

/** The allowed parameters of an operation's query. */
export const allowedParameters = ({ schema }: Operation): readonly string[] =>
  schema.querystring ? alternatives(schema.querystring).flatMap(namesOf) : [];

/** The fields of a request schema, with those of the schemas at the same place in the response. */
function compile(requests: readonly z.ZodType[], responses: readonly z.ZodType[]): AllowedFields {
  const taken = requests.flatMap(alternatives);
  const returned = responses.flatMap(alternatives);
  const types = new Set(taken.map(({ type }) => type));
  if (taken.some(isOpen)) return null;
  if (types.has('object')) return compileObject(taken, returned);
  if (types.has('array')) {
    return { kind: 'array', item: compile(taken.flatMap(elementOf), returned.flatMap(elementOf)) };
  }
  return null;
}

function compileObject(taken: readonly z.ZodType[], returned: readonly z.ZodType[]): ObjectFields {
  const names = [...new Set(taken.flatMap(namesOf))];
  const readOnly = returned.flatMap(namesOf).map((name) => [name, null] as const);
  const writable = names.map((name) => {
    const at = (schemas: readonly z.ZodType[]) => schemas.flatMap((each) => fieldOf(each, name));
    return [name, compile(at(taken), at(returned))] as const;
  });
  return { kind: 'object', names, fields: new Map([...readOnly, ...writable]) };
}

/**
 * The records of a response: the response itself if it is a named schema, otherwise also the named
 * schemas that it wraps.
 */
function recordsOf(response: z.ZodType): z.ZodType[] {
  if (response.meta()?.id !== undefined) return [response];
  const wrapped = fieldsOf(response).flatMap((field) =>
    alternatives(field).flatMap((each) => (each.type === 'array' ? elementOf(each) : [each])),
  );
  return [response, ...wrapped.filter((each) => each.meta()?.id !== undefined)];
}

type Def = {
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  options?: z.ZodType[];
  element?: z.ZodType;
  shape?: Record<string, z.ZodType>;
  catchall?: z.ZodType;
};

const defOf = (schema: z.ZodType): Def => schema.def as Def;

/** The schemas inside wrappers such as `optional`, one for each option of a union. */
function alternatives(schema: z.ZodType): z.ZodType[] {
  const { innerType, in: input, out, options } = defOf(schema);
  // What a preprocessed value becomes has its fields.
  const request = input?.type === 'transform' ? out : input;
  const inside = options ?? (innerType ? [innerType] : request ? [request] : null);
  return inside ? inside.flatMap(alternatives) : [schema];
}

/** An object schema that declares itself open, such as `z.looseObject`. */
const isOpen = (schema: z.ZodType): boolean => defOf(schema).catchall !== undefined;

const shapeOf = (schema: z.ZodType): Record<string, z.ZodType> => defOf(schema).shape ?? {};

const namesOf = (schema: z.ZodType): string[] => Object.keys(shapeOf(schema));

const fieldsOf = (schema: z.ZodType): z.ZodType[] =>
  alternatives(schema).flatMap((each) => Object.values(shapeOf(each)));

const fieldOf = (schema: z.ZodType, name: string): z.ZodType[] => {
  const field = Object.hasOwn(shapeOf(schema), name) ? shapeOf(schema)[name] : undefined;
  return field ? [field] : [];
};

const elementOf = (schema: z.ZodType): z.ZodType[] => {
  const { element } = defOf(schema);
  return element ? [element] : [];
};
