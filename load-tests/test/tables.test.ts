import { describe, expect, test } from 'vitest';
import { invariants } from '../invariants.ts';
import { homeOf, tablesIn, withCopies } from '../tables.rules.ts';

const schemas = ['catalog', 'commerce'] as const;
const event = { name: 'catalog.event', process: 'catalog' } as const;
const order = { name: 'commerce.customer_order', process: 'commerce' } as const;

test.each([
  ['select from catalog.event', [event]],
  [
    'select from catalog.event e join commerce.customer_order o on o.event_id = e.id',
    [event, order],
  ],
  ['select from catalog.event union select from catalog.event', [event]],
  [`select 'commerce.customer_order' as "table" from catalog.event`, [event]],
  ['select o.catalog.event from commerce.customer_order o', [order]],
  ['select from mycatalog.event', []],
  ['select from (catalog.event)', [event]],
])('finds the tables of %s', (sql, tables) => {
  expect(tablesIn(sql, schemas)).toEqual(tables);
});

describe('homeOf', () => {
  const urls = { catalog: 'one', commerce: 'two' };
  test('is the database of the first table, and lists those that are elsewhere', () => {
    expect(homeOf([event, order], urls)).toEqual({ home: 'one', foreign: [order] });
    expect(homeOf([order], urls)).toEqual({ home: 'two', foreign: [] });
    expect(homeOf([event, order], { catalog: 'one', commerce: 'one' })).toEqual({
      home: 'one',
      foreign: [],
    });
  });

  test('is the only database without a table, and an error with several', () => {
    expect(homeOf([], { catalog: 'one', commerce: 'one' }).home).toBe('one');
    expect(() => homeOf([], urls)).toThrow('names no table');
  });
});

test('replaces only the tables that were copied', () => {
  const sql = `select 'commerce.customer_order', e.id from catalog.event e, commerce.customer_order o, commerce.refund`;
  expect(withCopies(sql, ['commerce.customer_order'])).toBe(
    `select 'commerce.customer_order', e.id from catalog.event e, pg_temp."commerce.customer_order" o, commerce.refund`,
  );
  expect(withCopies(sql, [])).toBe(sql);
});

test('every invariant names a table with its schema', () => {
  const all = ['catalog', 'registration', 'commerce', 'onsite', 'changes', 'gateway', 'console'];
  const without = invariants.filter(({ sql }) => tablesIn(sql, all).length === 0);
  expect(without.map(({ title }) => title)).toEqual([]);
});
