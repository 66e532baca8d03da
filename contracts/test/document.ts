/** Any JSON object. */
// biome-ignore lint/suspicious/noExplicitAny: a document has any shape.
export type Json = Record<string, any>;

/** A JSON schema and its path in the document. */
export interface SchemaPlace {
  path: string;
  schema: Json;
  /** Whether it validates requests; otherwise it validates responses. */
  inRequest: boolean;
}

/** A document whose operations contain the parameters and responses that they refer to. */
export function resolved(document: Json): Json {
  const part = (each: Json): Json =>
    each.$ref
      ? each.$ref
          .split('/')
          .slice(1)
          .reduce((at: Json, step: string) => at[step], document)
      : each;
  const operation = (each: Json): Json => ({
    ...each,
    ...(each.parameters && { parameters: each.parameters.map(part) }),
    responses: mapValues(each.responses, part),
  });
  return { ...document, paths: mapValues(document.paths, (each) => mapValues(each, operation)) };
}

const mapValues = (values: Json, map: (value: Json) => Json): Json =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));

/** The names of an operation's parameters in the path, the query or the headers, in order. */
export function parameterNames(operation: Json, place: 'path' | 'query' | 'header'): string[] {
  const parameters: Json[] = operation.parameters ?? [];
  return parameters.filter((each) => each.in === place).map(({ name }) => name);
}

/** Every schema of an OpenAPI document, including nested ones. */
export function schemasOf(document: Json): SchemaPlace[] {
  const requestNames = new Set(namesIn(requestsOf(document)));
  const named = Object.entries<Json>(document.components.schemas).flatMap(([name, schema]) =>
    walk(schema, `components.schemas.${name}`, requestNames.has(name)),
  );
  const inline = operationsOf(document).flatMap(([path, operation]) => [
    ...(operation.parameters ?? []).flatMap((each: Json) =>
      walk(each.schema, `${path}.${each.name}`, true),
    ),
    ...walkContent(operation.requestBody, `${path}.body`, true),
    ...Object.entries<Json>(operation.responses).flatMap(([status, response]) =>
      walkContent(response, `${path}.${status}`, false),
    ),
  ]);
  return [...named, ...inline];
}

const operationsOf = (document: Json): [path: string, operation: Json][] =>
  Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]): [string, Json] => [
      `${method} ${path}`,
      operation,
    ]),
  );

const requestsOf = (document: Json): Json[] =>
  operationsOf(document).flatMap(([, { requestBody }]) => (requestBody ? [requestBody] : []));

/** The components that these parts refer to. */
const namesIn = (parts: Json[]): string[] =>
  [...JSON.stringify(parts).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
    ([, name]) => name ?? '',
  );

const walkContent = (holder: Json | undefined, path: string, inRequest: boolean): SchemaPlace[] =>
  Object.values<Json>(holder?.content ?? {}).flatMap(({ schema }) => walk(schema, path, inRequest));

function walk(schema: Json, path: string, inRequest: boolean): SchemaPlace[] {
  const children = [
    ...Object.entries<Json>(schema.properties ?? {}).map(([name, child]) => [
      `properties.${name}`,
      child,
    ]),
    ...(schema.items ? [['items', schema.items]] : []),
    ...['anyOf', 'allOf', 'oneOf'].flatMap((word) =>
      (schema[word] ?? []).map((child: Json, index: number) => [`${word}.${index}`, child]),
    ),
  ] as [string, Json][];
  return [
    { path, schema, inRequest },
    ...children.flatMap(([step, child]) => walk(child, `${path}.${step}`, inRequest)),
  ];
}
