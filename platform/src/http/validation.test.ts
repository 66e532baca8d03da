import { currency, email, requireField } from '@event-api/contracts/http/fields';
import { Discount } from '@event-api/contracts/http/redemption-codes';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../core/errors.ts';
import { validatorCompiler } from './validation.ts';

/** Validates `data` as Fastify does. */
function judge(schema: z.ZodType, data: unknown, httpPart = 'body'): unknown {
  const validate = validatorCompiler({ schema, httpPart, method: 'POST', url: '/' });
  return validate(data);
}

function issuesOf(schema: z.ZodType, data: unknown, httpPart?: string): unknown {
  const { error } = judge(schema, data, httpPart) as { error: unknown };
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' });
  return (error as ApiError).details;
}

const of = (schema: z.ZodType) => z.object({ it: schema });

describe('an issue', () => {
  test.each([
    [z.string(), undefined, 'is required', 'required'],
    [z.enum(['a', 'b']), undefined, 'is required', 'required'],
    [z.string(), 5, 'must be a string', 'invalid_type'],
    [z.string(), null, 'must be a string', 'invalid_type'],
    [z.boolean(), 'true', 'must be a boolean', 'invalid_type'],
    [z.number(), '5', 'must be a number', 'invalid_type'],
    [z.int(), 1.5, 'must be an integer', 'invalid_type'],
    [z.object({}), [], 'must be a JSON object', 'invalid_type'],
    [z.array(z.string()), {}, 'must be an array', 'invalid_type'],
    [z.int().min(1), 0, 'must be at least 1', 'too_small'],
    [z.int().max(9), 10, 'must be at most 9', 'too_big'],
    [z.string().min(1), '', 'must not be blank', 'too_small'],
    [z.string().min(2), 'x', 'must have at least 2 characters', 'too_small'],
    [z.string().max(2), 'xxx', 'must have at most 2 characters', 'too_big'],
    [z.array(z.int()).min(1), [], 'must have at least 1 entry', 'too_small'],
    [z.array(z.int()).max(2), [1, 2, 3], 'must have at most 2 entries', 'too_big'],
    [z.array(z.int()).max(1), [1, 2], 'must have at most 1 entry', 'too_big'],
    [z.string().max(1), 'xx', 'must have at most 1 character', 'too_big'],
    [currency(), 'XXX', 'must be an ISO 4217 code in use, such as EUR', 'invalid_value'],
    [currency(), undefined, 'is required', 'required'],
    [z.enum(['a', 'b']), 'c', 'must be one of a, b', 'invalid_value'],
    [z.enum([...'abcdefghijk']), 'z', 'is not one of the known values', 'invalid_value'],
    [z.email(), 'x', 'must be an email address', 'invalid_format'],
    [email(), 'x', 'must be an email address', 'invalid_format'],
    [z.string().regex(/^a/), 'x', 'has an invalid format', 'invalid_format'],
    [z.string().refine(() => false), 'x', 'is not valid', 'invalid_value'],
    [z.string().refine(() => false, 'is odd'), 'x', 'is odd', 'invalid_value'],
    [z.union([z.string(), z.int()]), true, 'is not valid', 'invalid_value'],
  ])('%#: is "%s"', (schema, value, issue, code) => {
    expect(issuesOf(of(schema), { it: value })).toEqual([{ field: 'it', issue, code }]);
  });

  test.each([
    [{}, 'is required; it must be one of percent, amount', 'required'],
    [{ type: 'gift' }, 'must be one of percent, amount', 'invalid_value'],
  ])('lists the types of a discount for %j', (value, issue, code) => {
    expect(issuesOf(of(Discount), { it: value })).toEqual([{ field: 'it.type', issue, code }]);
  });

  test('names a query parameter that is sent twice', () => {
    const twice = ['a', 'b'];
    for (const schema of [z.string(), z.enum(twice), z.string().regex(/^\d+$/)]) {
      expect(issuesOf(of(schema), { it: twice }, 'querystring')).toMatchObject([
        { field: 'it', issue: 'must be sent once' },
      ]);
    }
    expect(issuesOf(of(z.string()), { it: twice })).toMatchObject([{ issue: 'must be a string' }]);
  });

  test('reports a field that another field makes required as `required`, with its own message', () => {
    const schema = z.object({ kind: z.string(), id: z.string().optional() }).check((ctx) => {
      if (ctx.value.id === undefined) requireField(ctx, 'id', 'is required for this kind');
    });
    expect(issuesOf(schema, { kind: 'x' })).toEqual([
      { field: 'id', issue: 'is required for this kind', code: 'required' },
    ]);
  });

  test('contains the path of the field', () => {
    const schema = z.object({ items: z.array(z.object({ quantity: z.int() })) });
    expect(issuesOf(schema, { items: [{ quantity: 1 }, { quantity: 'x' }] })).toMatchObject([
      { field: 'items[1].quantity' },
    ]);
    expect(issuesOf(z.array(z.int()), ['x'])).toMatchObject([{ field: '[0]' }]);
  });

  test.each([
    [{ reason: z.string(), note: z.string().optional() }, ['reason']],
    [{ a: z.string(), b: z.object({ c: z.int() }), d: z.enum(['x']) }, ['a', 'b', 'd']],
  ])('names the required fields of a body that is missing', (shape, fields) => {
    expect(issuesOf(z.object(shape), null)).toEqual(
      fields.map((field) => ({ field, issue: 'is required', code: 'required' })),
    );
  });

  test.each([
    ['body', 'body'],
    ['querystring', 'query'],
  ])('names a whole %s as %s', (httpPart, field) => {
    expect(issuesOf(z.object({}), null, httpPart)).toEqual([
      { field, issue: 'must be a JSON object', code: 'invalid_type' },
    ]);
  });
});

test('reports all issues at once', () => {
  const schema = z.object({ a: z.string(), b: z.int(), c: z.boolean() });
  expect(issuesOf(schema, { b: 'x' })).toMatchObject([
    { field: 'a' },
    { field: 'b' },
    { field: 'c' },
  ]);
});

test.each([
  [50, 50],
  [51, 50],
  [1000, 50],
])('lists of %i issues %i', (wrong, listed) => {
  expect(issuesOf(z.array(z.int()), Array(wrong).fill('x'))).toHaveLength(listed);
});

test('returns the parsed value without unknown fields', () => {
  const schema = z.object({ a: z.string().trim(), b: z.int().default(3) });
  expect(judge(schema, { a: ' x ', other: 1 })).toEqual({ value: { a: 'x', b: 3 } });
});
