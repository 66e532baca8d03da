import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { statusWords } from '../src/errors.ts';
import { apiOperations } from '../src/http/operations.ts';
import { openApiDocument, openApiPath } from '../src/openapi/document.ts';
import { currentVersion } from '../src/version.ts';
import { type Json, parameterNames, resolved, type SchemaPlace, schemasOf } from './document.ts';

const file = new URL('../openapi.json', import.meta.url);
const document = openApiDocument(apiOperations) as Json;
/** As a reader sees it. */
const whole = resolved(document);
const schemas = schemasOf(whole);

const documented = apiOperations.map((operation) => ({
  name: operation.config.operationId,
  operation,
  entry: whole.paths[openApiPath(operation.url)]?.[operation.method.toLowerCase()] as Json,
}));

test('the committed openapi.json is up to date', () => {
  expect(
    readFileSync(file, 'utf8') === `${JSON.stringify(document, null, 2)}\n`,
    'contracts/openapi.json is out of date. Regenerate it: node tools/bootstrap.mjs contracts/scripts/write-openapi.ts',
  ).toBe(true);
});

test('what several operations have is a component', () => {
  const parts = Object.values<Json>(document.paths).flatMap((methods) =>
    Object.values<Json>(methods).flatMap(({ parameters = [], responses }) => [
      ...parameters,
      ...Object.entries<Json>(responses).flatMap(([code, each]) => (code < '400' ? [] : each)),
    ]),
  );
  const inline = parts.filter((each) => !each.$ref).map((each) => JSON.stringify(each));
  expect(new Set(inline).size).toBe(inline.length);
  // Generators and browsers load all of it.
  expect(JSON.stringify(document).length).toBeLessThan(350_000);
});

test('generating it twice gives the same bytes', () => {
  expect(JSON.stringify(openApiDocument(apiOperations))).toBe(JSON.stringify(document));
});

test('it is a valid OpenAPI 3.1 document', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(document.openapi).toBe('3.1.0');
  expect(document.info.version).toBe(currentVersion);
});

test('it contains exactly the declared operations', () => {
  const listed = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  const declared = apiOperations.map(
    ({ method, url }) => `${method.toLowerCase()} ${openApiPath(url)}`,
  );
  expect(listed.sort()).toEqual(declared.sort());
});

test('it requires a bearer key for every operation', () => {
  expect(document.components.securitySchemes.apiKey).toMatchObject({
    type: 'http',
    scheme: 'bearer',
  });
  expect(documented.map(({ entry }) => entry.security)).toEqual(
    documented.map(() => [{ apiKey: [] }]),
  );
});

describe.each(documented)('$name', ({ operation, entry }) => {
  const { url, schema, config } = operation;
  const acceptsKey =
    operation.method === 'POST' &&
    !['pairDevice', 'assignClaimedSeat'].includes(config.operationId);

  test('lists every error that it can return, each in the envelope', () => {
    const codes = ['400', '401', '405', '408', '429', '500', '503', '504'];
    if (url.includes('/:')) codes.push('404');
    if (config.preconditions) codes.push('412');
    if (schema.body) codes.push('413', '415');
    const other = entry.responses.default;
    for (const code of [...codes, ...(config.errors ?? []).map(String)]) {
      const word = statusWords[Number(code) as 400];
      const { description } = entry.responses[code] ?? other;
      expect(description, code).toContain(`\`${word}\``);
    }
    const errors = Object.entries<Json>(entry.responses).filter(([status]) => status >= '400');
    for (const [status, { content }] of errors) {
      const { schema, example, examples } = content['application/json'];
      expect(schema, status).toEqual({ $ref: '#/components/schemas/Error' });
      const values = examples ? Object.values<Json>(examples).map(({ value }) => value) : [example];
      for (const value of values) expect(value, status).toHaveProperty('error.message');
    }
  });

  test('names every business rule that can reject it', () => {
    const reasons = [...(entry.responses[412]?.description ?? '').matchAll(/- `(\w+)`: \S/g)];
    expect(reasons.map(([, reason]) => reason)).toEqual(config.preconditions ?? []);
  });

  test('names the codes of a 409 that it returns', () => {
    const described: string = entry.responses[409]?.description ?? '';
    const codes = [...described.matchAll(/`([A-Z_]+)`: /g)].map(([, code]) => code);
    expect(codes).toEqual([
      ...(config.operationId === 'createRedemptionCodes' ? ['ALREADY_EXISTS'] : []),
      ...(acceptsKey ? ['ABORTED'] : []),
    ]);
  });

  test('warns of an effect after a 504 only if it is a write', () => {
    const { description, content } = entry.responses.default;
    const { value } = content['application/json'].examples.DEADLINE_EXCEEDED;
    const isWrite = operation.method !== 'GET';
    for (const text of [description, value.error.message]) {
      expect(text.includes('may have taken effect')).toBe(isWrite);
    }
  });

  test('declares its successes, with Location if it creates one record', () => {
    const successes = Object.keys(schema.response);
    expect(Object.keys(entry.responses).filter((code) => code < '300')).toEqual(successes);
    for (const success of successes) {
      const response = entry.responses[success];
      // Generators return the bytes of a file of the last type.
      const files = config.files && [...config.files, 'application/octet-stream'];
      expect(Object.keys(response.content)).toEqual(files ?? ['application/json']);
      for (const { schema: content } of Object.values(response.content) as Json[]) {
        expect(content).toBeDefined();
        if (config.files) expect(content).toEqual({ type: 'string', format: 'binary' });
      }
      const component = config.createsMany ? 'LocationOfOne' : 'Location';
      const location = { $ref: `#/components/headers/${component}` };
      expect(response.headers?.Location).toEqual(success === '201' ? location : undefined);
    }
  });

  test('declares the ids of its path, the version header and its query', () => {
    expect(parameterNames(entry, 'path')).toEqual([...url.matchAll(/:(\w+)/g)].map(([, id]) => id));
    expect(parameterNames(entry, 'header')).toEqual([
      'Service-Version',
      ...(config.hasEtag ? ['If-None-Match'] : []),
      ...(acceptsKey ? ['Idempotency-Key'] : []),
    ]);
    // The feed has no last page.
    if (config.operationId.startsWith('list') && config.operationId !== 'listChanges') {
      expect(parameterNames(entry, 'query')).toEqual(expect.arrayContaining(['limit', 'cursor']));
      const { properties } = entry.responses[200].content['application/json'].schema;
      expect(Object.keys(properties)).toHaveLength(2);
      expect(properties.nextCursor.type).toEqual(['string', 'null']);
    }
  });

  test('describes every parameter of its query', () => {
    const parameters: Json[] = entry.parameters ?? [];
    const silent = parameters.filter(
      (each) => each.in === 'query' && !(each.description ?? each.schema?.description),
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  test('has no maximum of `limit`, because the service lowers it', () => {
    const { minimum, maximum } =
      (entry.parameters as Json[]).find(({ name }) => name === 'limit')?.schema ?? {};
    const hasPages = /^(list|getRoster$)/.test(config.operationId);
    expect([minimum, maximum]).toEqual([hasPages ? 1 : undefined, undefined]);
  });

  test('has a body exactly if it declares one, required unless it is optional', () => {
    const isOptional = schema.body?.safeParse(undefined).success;
    expect(entry.requestBody?.required).toBe(schema.body ? !isOptional : undefined);
  });
});

describe('every schema', () => {
  const describes = ({ schema }: SchemaPlace) =>
    ['$ref', 'type', 'anyOf', 'oneOf', 'allOf'].some((word) => word in schema);

  test('has a type', () => {
    const untyped = schemas.filter((place) => !describes(place)).map(({ path }) => path);
    expect(untyped).toEqual([]);
  });

  test('that has a pattern is a string', () => {
    const strange = schemas.filter(
      ({ schema }) => schema.pattern && ![schema.type].flat().includes('string'),
    );
    expect(strange.map(({ path }) => path)).toEqual([]);
  });

  test('of a list in a request has a maximum length', () => {
    const lists = schemas.filter(({ schema, inRequest }) => inRequest && schema.type === 'array');
    expect(lists.filter(({ schema }) => schema.maxItems === undefined)).toEqual([]);
  });

  test('of a response requires every field: absent values are null', () => {
    const objects = schemas.filter(({ schema, inRequest }) => !inRequest && schema.properties);
    const lax = objects.filter(
      ({ schema, path }) =>
        !path.startsWith('components.schemas.Error') &&
        Object.keys(schema.properties).length !== schema.required?.length,
    );
    expect(objects.length).toBeGreaterThan(3);
    expect(lax.map(({ path }) => path)).toEqual([]);
  });
});
