import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { apiOperations } from '../src/http/operations.ts';
import type { Operation } from '../src/operation.ts';
import { operatorOperations } from '../src/operator/operations.ts';

const all = [...apiOperations, ...operatorOperations];
const idsOf = ({ url }: Operation) => [...url.matchAll(/:(\w+)/g)].map(([, name]) => name);

const repeated = (words: string[]) => words.filter((word, index) => words.indexOf(word) !== index);

test('no two operations of the API, and no two of one owner, share a name, or a method and a path', () => {
  const ways = (operations: readonly Operation[], prefix: (operation: Operation) => string) =>
    operations.flatMap((operation) => [
      `${prefix(operation)} ${operation.config.operationId}`,
      `${prefix(operation)} ${operation.method} ${operation.url.replace(/:\w+/g, ':id')}`,
    ]);
  expect(repeated(ways(apiOperations, () => ''))).toEqual([]);
  expect(repeated(ways(all, ({ config }) => config.owner))).toEqual([]);
});

test.each(all.map((operation) => ({ name: operation.config.operationId, operation })))(
  '$name says what it is, who owns it, and what its path is made of',
  ({ operation: { config, url, schema } }) => {
    expect(config.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(config.owner).toMatch(/^[a-z]+$/);
    expect(config.tag).toMatch(/^[A-Z]/);
    expect(url).toMatch(/^\/[A-Za-z0-9/:.-]+[A-Za-z]$/);
    const params = schema.params instanceof z.ZodObject ? Object.keys(schema.params.shape) : [];
    expect(params).toEqual(idsOf({ url } as Operation));
    // Both only where a repeat is acknowledged.
    expect(['200', '201', '200 201']).toContain(Object.keys(schema.response).join(' '));
  },
);

describe('an operation of the API', () => {
  test('stands under /v1 and takes an integrator', () => {
    const strange = apiOperations.filter(
      ({ url, config }) => !url.startsWith('/v1/') || config.audience !== 'api',
    );
    expect(strange.map(({ config }) => config.operationId)).toEqual([]);
  });

  test('takes a body only when it changes something', () => {
    const strange = apiOperations.filter(({ method, schema }) => method === 'GET' && schema.body);
    expect(strange.map(({ config }) => config.operationId)).toEqual([]);
  });

  test('ignores unknown fields and parameters instead of refusing them', () => {
    const objects = apiOperations
      .flatMap(({ schema }) => [schema.body, schema.querystring])
      .filter((schema) => schema instanceof z.ZodObject);
    expect(objects.length).toBeGreaterThan(0);
    expect(objects.filter(({ def }) => def.catchall instanceof z.ZodNever)).toEqual([]);
  });

  test('that updates resets nothing that is left out', () => {
    const updates = apiOperations.filter(({ method }) => method === 'PATCH');
    expect(updates.length).toBeGreaterThan(0);
    for (const { schema } of updates) expect(schema.body?.parse({})).toEqual({});
  });
});

describe('an operator command', () => {
  test('is a POST to a path that ends in its name, on the internal listener', () => {
    for (const { method, url, config } of operatorOperations) {
      expect([method, url, config.audience]).toEqual([
        'POST',
        `/operator/${config.operationId}`,
        'operator',
      ]);
    }
  });
});
