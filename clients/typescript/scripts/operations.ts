import type { Field, Operation, Parameter } from '../src/operation.ts';
import {
  type Document,
  type DocumentedOperation,
  fieldsOf,
  parameterOf,
  type Schema,
  schemaOf,
  successesOf,
} from './document.ts';

/** An enumeration of more values than this, such as all currencies, is no help at a terminal. */
const maxValues = 12;

const methods = {
  get: 'GET',
  post: 'POST',
  patch: 'PATCH',
  put: 'PUT',
  delete: 'DELETE',
} as const;

/** The operations of the document, in its order, for programs that choose one at run time. */
export const operationsOf = (document: Document): Operation[] =>
  Object.entries(document.paths).flatMap(([url, documented]) =>
    Object.entries(methods).flatMap(([key, method]) => {
      const operation = documented[key];
      return operation ? operationOf(document, operation, { url, method }) : [];
    }),
  );

function operationOf(
  document: Document,
  operation: DocumentedOperation,
  address: Pick<Operation, 'url' | 'method'>,
): Operation {
  const { operationId, summary, description = '', tags } = operation;
  const all = (operation.parameters ?? []).map((one) => parameterOf(document, one));
  const parameters = (place: string) => all.filter((one) => one.in === place);
  return {
    id: operationId,
    ...address,
    group: tags[0] ?? '',
    ...{ summary, description },
    path: parameters('path').map(
      ({ name, example, schema }): Parameter => ({
        name,
        example: String(example ?? schema.example),
      }),
    ),
    query: parameters('query').map(({ name, required = false, description, schema }) =>
      fieldOf(document, name, {
        schema: { ...schema, ...(description && { description }) },
        required,
      }),
    ),
    body: bodyOf(document, operation),
    takesKey: parameters('header').some(({ name }) => name === 'Idempotency-Key'),
    success: successOf(document, operation),
  };
}

function bodyOf(document: Document, { requestBody }: DocumentedOperation): Operation['body'] {
  const json = requestBody?.content['application/json'];
  if (!json?.schema) return null;
  const { properties, required = [] } = schemaOf(document, json.schema);
  return {
    isRequired: requestBody?.required ?? false,
    fields: properties
      ? Object.entries(properties).map(([name, schema]) =>
          fieldOf(document, name, { schema, required: required.includes(name) }),
        )
      : null,
    example: json.example ?? null,
  };
}

function fieldOf(
  document: Document,
  name: string,
  { schema, required }: { schema: Schema; required: boolean },
): Field {
  const resolved = {
    ...schemaOf(document, schema),
    ...(schema.description && { description: schema.description }),
  };
  const types = [resolved.type ?? []].flat();
  const values = (resolved.enum ?? []).filter((value) => value !== null).map(String);
  return {
    name,
    type: typeOf(types.filter((type) => type !== 'null')),
    isRequired: required,
    isNullable: types.includes('null'),
    values: values.length > maxValues ? [] : values,
    // Programs encode the query by themselves.
    description: (resolved.description ?? '').replace(/ Send the `.` of an offset as `%2B`\./, ''),
  };
}

function typeOf([type, ...others]: string[]): Field['type'] {
  if (others.length > 0) return 'json';
  if (type === 'string' || type === 'integer' || type === 'number' || type === 'boolean')
    return type;
  return 'json';
}

function successOf(document: Document, operation: DocumentedOperation): Operation['success'] {
  const fields = fieldsOf(document, operation);
  if (fields === null) return { kind: 'file' };
  const isPaged = (operation.parameters ?? []).some(
    (one) => parameterOf(document, one).name === 'cursor',
  );
  const [list] = Object.entries(fields).filter(([, type]) => type === 'array');
  const [schema] = successesOf(document, operation);
  const nextCursor = schemaOf(document, schema?.properties?.nextCursor ?? {});
  // A feed has no last page.
  const ends = [nextCursor.type ?? []].flat().includes('null');
  if (!isPaged || !list || !ends) return { kind: 'record', fields };
  const item = schemaOf(
    document,
    schemaOf(document, schema?.properties?.[list[0]] ?? {}).items ?? {},
  );
  return { kind: 'list', fields, columns: Object.keys(item.properties ?? {}) };
}
