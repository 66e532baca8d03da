import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { breakingChanges, describeChange } from './breaking-changes.ts';
import type { Contract, OperationContract } from './contract.ts';
import { fieldsOf } from './fields.ts';

const nothing: Contract = { operations: {}, snapshots: {}, settings: {} };

function operation(
  parts: { body?: z.ZodType; response?: z.ZodType; route?: string },
  audience: OperationContract['audience'] = 'api',
): Contract {
  const { body, response, route = 'POST /v1/things' } = parts;
  const io = audience === 'service' ? 'input' : 'output';
  const input = body ? fieldsOf(body, 'input', 'body') : {};
  const thing = { audience, route, input, response: response ? fieldsOf(response, io) : {} };
  return { ...nothing, operations: { thing } };
}

const snapshot = (data: z.ZodType): Contract => ({
  ...nothing,
  snapshots: { 'catalog.thing': fieldsOf(data, 'input') },
});

const linesOf = (previous: Contract, next: Contract, ...tolerant: string[]) =>
  breakingChanges(previous, next, new Set(tolerant)).map(describeChange);

const base = z.object({ id: z.string(), status: z.enum(['open', 'closed']), size: z.int() });
const nested = z.object({ items: z.array(z.object({ name: z.string(), size: z.int() })) });
const kinds = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('free') }),
  z.object({ kind: z.literal('paid'), amount: z.int() }),
]);

describe('a response to clients', () => {
  test.each<[string, z.ZodType, z.ZodType, string[]]>([
    ['the same', base, base, []],
    ['a new field', base, base.extend({ more: z.string() }), []],
    ['a value less', base, base.extend({ status: z.enum(['open']) }), []],
    ['null less', base.extend({ size: z.int().nullable() }), base, []],
    ['a field less', base, base.omit({ size: true }), ['size of thing is removed']],
    [
      'another type',
      base,
      base.extend({ size: z.string() }),
      ['size of thing changes from integer to string'],
    ],
    [
      'a new null',
      base,
      base.extend({ size: z.int().nullable() }),
      ['size of thing changes from integer to integer|null'],
    ],
    [
      'a field that may be absent',
      base,
      base.extend({ size: z.int().optional() }),
      ['size of thing changes from integer to optional integer'],
    ],
    [
      'a new value',
      base,
      base.extend({ status: z.enum(['open', 'closed', 'held']) }),
      ['status of thing has the new values held'],
    ],
    [
      'any text instead of listed values',
      base,
      base.extend({ status: z.string() }),
      ['status of thing changes from string (closed|open) to string'],
    ],
    [
      'a nested field less',
      nested,
      z.object({ items: z.array(z.object({ size: z.int() })) }),
      ['items[].name of thing is removed'],
    ],
    ['a list less, named once', nested, z.object({}), ['items of thing is removed']],
    [
      'a new variant',
      kinds,
      z.union([kinds, z.object({ kind: z.literal('gift') })]),
      ['kind of thing has the new values gift'],
    ],
  ])('with %s', (_, before, after, expected) => {
    expect(linesOf(operation({ response: before }), operation({ response: after }))).toEqual(
      expected,
    );
  });

  test('with a new value breaks nothing if its readers are tolerant', () => {
    const after = base.extend({ status: z.enum(['open', 'closed', 'held']) });
    const changes = [operation({ response: base }), operation({ response: after })] as const;
    expect(linesOf(...changes, 'status of thing')).toEqual([]);
    expect(linesOf(...changes, 'status of another')).toHaveLength(1);
  });
});

describe('a request', () => {
  test.each<[string, z.ZodType, z.ZodType, string[]]>([
    ['the same', base, base, []],
    ['a new optional field', base, base.extend({ more: z.string().optional() }), []],
    ['a new field with a default', base, base.extend({ more: z.string().default('') }), []],
    ['a new accepted value', base, base.extend({ status: z.enum(['open', 'closed', 'held']) }), []],
    [
      'a new required field',
      base,
      base.extend({ more: z.string() }),
      ['body.more of thing is required'],
    ],
    [
      'an optional field that is required now',
      base.partial({ size: true }),
      base,
      ['body.size of thing is required'],
    ],
    [
      'a field with another type',
      base,
      base.extend({ size: z.string() }),
      ['body.size of thing changes from integer to string'],
    ],
    [
      'a value that is rejected now',
      base,
      base.extend({ status: z.enum(['open']) }),
      ['body.status of thing no longer accepts closed'],
    ],
    [
      'listed values instead of any text',
      base.extend({ id: z.string() }),
      base.extend({ id: z.enum(['a']) }),
      ['body.id of thing changes from string to string (a)'],
    ],
    ['a field less', base, base.omit({ size: true }), ['body.size of thing is removed']],
  ])('with %s', (_, before, after, expected) => {
    expect(linesOf(operation({ body: before }), operation({ body: after }))).toEqual(expected);
  });

  test('between services may lose a field, because services ignore unknown fields', () => {
    const without = operation({ body: base.omit({ size: true }) }, 'service');
    expect(linesOf(operation({ body: base }, 'service'), without)).toEqual([]);
  });

  test('may not get a required body', () => {
    expect(linesOf(operation({}), operation({ body: base }))).toEqual([
      'body of thing is required',
    ]);
  });
});

describe('a snapshot', () => {
  test.each<[string, z.ZodType, z.ZodType, string[]]>([
    ['the same', base, base, []],
    ['a new field with a default', base, base.extend({ more: z.string().default('') }), []],
    ['a default for an existing field', base, base.extend({ size: z.int().default(0) }), []],
    [
      'a field less that old readers do not require',
      base.extend({ size: z.int().default(0) }),
      base.omit({ size: true }),
      [],
    ],
    [
      'a new field that readers require',
      base,
      base.extend({ more: z.string() }),
      ['more of catalog.thing is required'],
    ],
    ['a field less', base, base.omit({ size: true }), ['size of catalog.thing is removed']],
    [
      'another type',
      base,
      base.extend({ size: z.string() }),
      ['size of catalog.thing changes from integer to string'],
    ],
    [
      'null less, which old writers send',
      base.extend({ size: z.int().nullable() }),
      base,
      ['size of catalog.thing changes from integer|null to integer'],
    ],
    [
      'a new value',
      base,
      base.extend({ status: z.enum(['open', 'closed', 'held']) }),
      ['status of catalog.thing has the new values held'],
    ],
  ])('with %s', (_, before, after, expected) => {
    expect(linesOf(snapshot(before), snapshot(after))).toEqual(expected);
  });

  test('may not disappear', () => {
    expect(linesOf(snapshot(base), nothing)).toEqual(['catalog.thing is removed']);
  });
});

describe('an operation', () => {
  test.each<[string, Contract, Contract, string[]]>([
    ['is new', nothing, operation({}), []],
    ['is removed', operation({}), nothing, ['thing is removed']],
    [
      'moves',
      operation({}),
      operation({ route: 'POST /v1/others' }),
      ['thing moves from POST /v1/things to POST /v1/others'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(linesOf(before, after)).toEqual(expected);
  });
});

describe('the settings of a process', () => {
  const settings = (...names: string[]): Contract => ({ ...nothing, settings: { onsite: names } });

  test.each<[string, Contract, Contract, string[]]>([
    ['lose one', settings('PORT', 'HOST'), settings('PORT'), []],
    [
      'get one without a default',
      settings('PORT'),
      settings('PORT', 'HOST'),
      ['onsite requires the new setting HOST'],
    ],
    ['belong to a new process', nothing, settings('PORT'), []],
  ])('%s', (_, before, after, expected) => {
    expect(linesOf(before, after)).toEqual(expected);
  });
});
