import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { apiOperations } from '../src/http/operations.ts';
import { readBadge } from '../src/internal/badges.ts';
import * as seats from '../src/internal/reservations.ts';
import type { Operation } from '../src/operation.ts';
import { operatorOperations } from '../src/operator/operations.ts';

const internalOperations = Object.values(seats).filter(
  (each): each is typeof seats.reserveSeats => 'method' in each,
);

interface Def {
  type: string;
  shape?: Record<string, z.core.$ZodType>;
  [inner: string]: unknown;
}

const isSchema = (value: unknown): value is z.core.$ZodType =>
  typeof value === 'object' && value !== null && '_zod' in value;

/** The schema and all schemas inside it. */
function schemasIn(schema: z.core.$ZodType): z.core.$ZodType[] {
  const def = schema._zod.def as unknown as Def;
  const inner = [...Object.values(def.shape ?? {}), ...Object.values(def).flat()];
  return [schema, ...inner.filter(isSchema).flatMap(schemasIn)];
}

const bodies = (
  [...apiOperations, ...operatorOperations, ...internalOperations, readBadge] as Operation[]
)
  .filter(({ schema }) => schema.body)
  .map(({ config, schema }) => ({
    name: config.operationId,
    schemas: schemasIn(schema.body as z.ZodType),
  }));

const arrays = bodies.flatMap(({ name, schemas }) =>
  schemas
    .filter((schema) => schema instanceof z.ZodArray)
    .map((schema, index) => ({ name: `${name} ${index}`, schema })),
);

// A body has at most 1 MiB, which is enough for 500,000 elements: validating each of them would
// block the process.
describe('a request body', () => {
  test.each(arrays)(
    'rejects an array that is too long without reading its elements: $name',
    ({ schema }) => {
      let reads = 0;
      const long = new Proxy(Array(2001).fill({}), {
        get(target, key) {
          if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
          return Reflect.get(target, key);
        },
      });
      const { error } = schema.safeParse(long);
      expect(error?.issues).toMatchObject([{ code: 'too_big', origin: 'array', path: [] }]);
      expect(reads).toBe(0);
    },
  );

  test('has arrays', () => {
    expect(arrays.length).toBeGreaterThan(10);
  });

  // z.record validates every member before a check can limit them; `openObject` checks the size
  // first.
  test.each(bodies)('has no record without a limit of its size: $name', ({ schemas }) => {
    const limited = schemas.filter(
      (schema) => schema instanceof z.ZodPreprocess && schema.def.out instanceof z.ZodRecord,
    );
    expect(schemas.filter((schema) => schema instanceof z.ZodRecord)).toHaveLength(limited.length);
    for (const schema of limited) {
      const { error } = (schema as z.ZodPreprocess).safeParse({ a: Array(500_000).fill(0) });
      expect(error?.issues).toMatchObject([
        { code: 'custom', message: 'must have at most 32 KiB' },
      ]);
    }
  });
});
