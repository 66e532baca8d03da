/** A JSON Schema, as far as the client is generated from it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  example?: unknown;
  items?: Schema;
  oneOf?: Schema[];
  required?: string[];
  properties?: Record<string, Schema>;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
}

type Content = Record<string, { schema?: Schema; example?: object }>;

export interface DocumentedOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
}

/** `contracts/openapi.json`. */
export interface Document {
  info: { version: string };
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

const componentOf = <Part extends { $ref?: string }>(
  components: Record<string, Part>,
  part: Part,
): Part => {
  const name = part.$ref?.split('/').at(-1);
  if (name === undefined) return part;
  const component = components[name];
  if (!component) throw new Error(`${part.$ref} does not exist`);
  return componentOf(components, component);
};

/** Replaces a reference by the schema. Errors: there is none. */
export const schemaOf = ({ components }: Document, schema: Schema): Schema =>
  componentOf(components.schemas, schema);

/** Replaces a reference by the parameter. Errors: there is none. */
export const parameterOf = ({ components }: Document, parameter: Parameter): Parameter =>
  componentOf(components.parameters, parameter);

/** The schemas of the successes of an operation that are JSON. */
export const successesOf = (document: Document, { responses }: DocumentedOperation): Schema[] =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content = {} }]) => content['application/json'])
    .flatMap((json) => (json?.schema ? schemaOf(document, json.schema) : []));

/**
 * The fields that every success of an operation has, with their types. Null for an operation whose
 * success is no JSON.
 */
export function fieldsOf(
  document: Document,
  operation: DocumentedOperation,
): Record<string, string> | null {
  const schemas = successesOf(document, operation);
  const [first, ...others] = schemas;
  if (!first) return null;
  const names = (first.required ?? []).filter((name) =>
    others.every(({ required = [] }) => required.includes(name)),
  );
  const typeOf = ({ properties = {} }: Schema, name: string) =>
    schemaOf(document, properties[name] ?? {}).type;
  return Object.fromEntries(
    names.map((name) => {
      const types = new Set(schemas.map((schema) => JSON.stringify(typeOf(schema, name))));
      const type = typeOf(first, name);
      return [name, types.size === 1 && typeof type === 'string' ? type : 'any'];
    }),
  );
}
