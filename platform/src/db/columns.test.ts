import { defineEntity, p } from '@mikro-orm/core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { viewOf } from '../http/record-view.ts';
import { columnsOf, jsonOf, type RowOf } from './columns.ts';

const Thing = defineEntity({
  name: 'Thing',
  tableName: 'thing',
  properties: {
    id: p.text().primary(),
    note: p.text().nullable(),
    priceAmount: p.integer(),
    createdAt: p.datetime(3),
  },
});

describe('columnsOf', () => {
  test.each([
    ['all columns', undefined, 'id, note, priceAmount, createdAt'],
    ['only the named ones', { only: ['id', 'priceAmount'] }, 'id, priceAmount'],
    ['all but the omitted ones', { omit: ['note'] }, 'id, priceAmount, createdAt'],
  ] as const)('selects %s', (_title, chosen, expected) => {
    const { sql } = columnsOf(Thing, 't', chosen);
    expect(sql.replace(/t\.\w+ as "(\w+)"/g, '$1')).toBe(expected);
  });

  test('names each column like its property', () => {
    expect(columnsOf(Thing, 't', { only: ['priceAmount'] }).sql).toBe(
      't.price_amount as "priceAmount"',
    );
  });

  test('rejects a column that the entity does not have', () => {
    expect(() => columnsOf(Thing, 't', { only: ['size' as 'id'] })).toThrow(
      'Thing has no column size',
    );
  });
});

describe('jsonOf', () => {
  test('names each field like its property', () => {
    expect(jsonOf(Thing, 't', { omit: ['note', 'createdAt'] }).sql).toBe(
      "json_build_object('id', t.id, 'priceAmount', t.price_amount)",
    );
  });

  test('has instants as strings', () => {
    const instant = jsonOf(Thing, 't', { only: ['createdAt'] });
    const row: RowOf<typeof instant> = { createdAt: '2027-01-01T00:00:00.5+00:00' };
    expect(instant.sql).toBe(`json_build_object('createdAt', t.created_at)`);
    expect(new Date(row.createdAt).getTime()).toBe(Date.UTC(2027, 0, 1, 0, 0, 0, 500));
  });
});

describe('viewOf', () => {
  const columns = columnsOf(Thing, 't');
  const schema = z.object({ id: z.string(), note: z.string().nullable(), createdAt: z.string() });
  const view = viewOf(schema, columns);
  const row = { id: 't1', priceAmount: 5, createdAt: new Date('2027-01-01T00:00:00.5Z') };

  test.each([
    ['a value', 'a note', 'a note'],
    ['null', null, null],
    ['an absent value as null', undefined, null],
  ])('returns %s and only the fields of the response', (_title, note, expected) => {
    expect(view({ ...row, note })).toEqual({
      id: 't1',
      note: expected,
      createdAt: '2027-01-01T00:00:00.500Z',
    });
  });

  test('is a type error for a field that no column has, or of another type', () => {
    // @ts-expect-error No column is named `size`.
    viewOf(z.object({ size: z.int() }), columns);
    // @ts-expect-error The column is a number.
    viewOf(z.object({ priceAmount: z.string() }), columns);
    expect(columns.row).toBeUndefined();
  });
});
