import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fieldsOf } from './fields.ts';

interface Tree {
  name: string;
  children: Tree[];
}
const Tree: z.ZodType<Tree> = z.lazy(() =>
  z.object({ name: z.string(), children: z.array(Tree) }).meta({ id: 'Tree' }),
);

describe('fieldsOf', () => {
  test.each<[string, z.ZodType, string, object | undefined]>([
    ['a field', z.object({ a: z.string() }), 'a', { types: ['string'] }],
    [
      'a field that may be null',
      z.object({ a: z.int().nullable() }),
      'a',
      { types: ['integer', 'null'] },
    ],
    [
      'listed values beside null',
      z.object({ a: z.enum(['y', 'x']).nullable() }),
      'a',
      {
        types: ['null', 'string'],
        values: ['x', 'y'],
      },
    ],
    [
      'a field of a list',
      z.object({ a: z.array(z.object({ b: z.boolean() })) }),
      'a[].b',
      {
        types: ['boolean'],
      },
    ],
    ['a value of a record', z.record(z.string(), z.number()), '{}', { types: ['number'] }],
    [
      'an optional field',
      z.object({ a: z.string().optional() }),
      'a',
      {
        types: ['string'],
        isOptional: true,
      },
    ],
    [
      'a field of one variant',
      z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]),
      'a',
      {
        types: ['integer'],
        isOptional: true,
      },
    ],
    [
      'a field of all variants',
      z.union([z.object({ a: z.literal('x') }), z.object({ a: z.literal('y') })]),
      'a',
      {
        types: ['string'],
        values: ['x', 'y'],
      },
    ],
    ['a schema that contains itself', Tree, 'children[]', { types: ['object'] }],
    ['no field', z.object({ a: z.string() }), 'b', undefined],
  ])('reads %s', (_, schema, path, expected) => {
    expect(fieldsOf(schema, 'output')[path]).toEqual(expected);
  });

  test('makes a field with a default optional where it is accepted, required where it is sent', () => {
    const schema = z.object({ a: z.string().default('') });
    expect(fieldsOf(schema, 'input').a?.isOptional).toBe(true);
    expect(fieldsOf(schema, 'output').a?.isOptional).toBeUndefined();
  });
});
