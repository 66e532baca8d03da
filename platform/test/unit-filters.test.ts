import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ListDefinition,
  listStatement,
  newestFirst,
  oldestChangeFirst,
} from '../src/db/list.ts';
import { statement } from '../src/db/statement.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { postgresUrl } from '../testing/servers.ts';
import { exceptionOf, exceptions } from '../testing/unit-filters/exceptions.ts';
import { readStatements } from '../testing/unit-filters/read-statements.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(await postgresUrl());
  await database.sql(`
    create schema shop;
    create table shop.event (id text primary key, business_unit_id text not null, name text);
    create table shop.ticket (id text primary key, business_unit_id text not null, event_id text not null, perk_ids text[], version bigint, insertion_order bigint);
    create table shop.item (ticket_id text not null, position int, primary key (ticket_id, position));
    create table shop.outbox_message (id text primary key)`);
});
afterAll(() => database?.drop());

const unfiltered = async (sql: string) => {
  const { text } = statement('test_unit_filter', sql);
  return (await readStatements(database, [text])).unfiltered;
};
const missing = (...tables: string[]) => [`test_unit_filter: ${tables.join(', ')}`];

const ticket = 'from shop.ticket t where t.business_unit_id = $1 and t.id = $2';

describe('a statement has a filter', () => {
  test.each([
    ['if the unit is a parameter', `select t.id ${ticket}`],
    [
      'if the unit is checked after an index has found the row',
      `select t.id from shop.ticket t where t.id = $1 and (t.business_unit_id = $2) is true`,
    ],
    [
      'if the unit comes from a list',
      'select t.id from unnest($1::text[], $2::text[]) x(unit, id) join shop.ticket t on t.business_unit_id = x.unit and t.id = x.id',
    ],
    [
      'if a row refers to a filtered row',
      'select e.id from shop.ticket t join shop.event e on e.id = t.event_id where t.business_unit_id = $1',
    ],
    [
      'if a filtered row refers to a row',
      'select t.id from shop.ticket t left join shop.event e on e.id = t.event_id where t.business_unit_id = $1',
    ],
    [
      'if both rows have the same id as a parameter',
      'select t.id from shop.ticket t join shop.event e on e.id = t.event_id where t.business_unit_id = $1 and t.event_id = $2',
    ],
    [
      'if a filtered row lists its id',
      'select x.id from shop.ticket t join shop.ticket x on x.id = any(t.perk_ids) where t.business_unit_id = $1',
    ],
    [
      'if a table without a unit belongs to a filtered row',
      `select (select count(*) from shop.item i where i.ticket_id = t.id) ${ticket}`,
    ],
    [
      'if the column has the name of its property',
      `with found as materialized (
         select t.business_unit_id as "businessUnitId" from shop.ticket t where t.id = $1
         union select t.business_unit_id from shop.ticket t where t.event_id = $2)
       select f.* from found f where f."businessUnitId" = $3`,
    ],
    [
      'if a common table expression is filtered',
      `with found as materialized (select t.event_id ${ticket}) select e.name from found f join shop.event e on e.id = f.event_id`,
    ],
    [
      'if only filtered rows use what a common table expression finds',
      'with found as materialized (select id, business_unit_id from shop.ticket where id = $2) select id from found where business_unit_id = $1',
    ],
    [
      'if it inserts rows',
      'insert into shop.event (id, business_unit_id) values ($1, $2) on conflict do nothing',
    ],
    [
      'if it updates only rows of the unit on a conflict',
      'insert into shop.event as e (id, business_unit_id) values ($1, $2) on conflict (id) do update set name = $3 where e.business_unit_id = $2',
    ],
    [
      'if it deletes rows of the unit',
      'delete from shop.event where id = $1 and business_unit_id = $2',
    ],
    ['if its table has no data of units', 'select id from shop.outbox_message'],
  ])('%s', async (_name, sql) => {
    expect(await unfiltered(sql)).toEqual([]);
  });
});

describe('a statement has no filter', () => {
  test.each([
    ['if it finds a row by its id', 'select name from shop.event where id = $1', ['shop.event']],
    [
      'if it only returns the unit',
      'select business_unit_id from shop.event where id = $1',
      ['shop.event'],
    ],
    [
      'if the unit is one of two alternatives',
      'select name from shop.event where business_unit_id = $1 or id = $2',
      ['shop.event'],
    ],
    [
      'if no unit means all units',
      'select name from shop.event where ($1::text is null or business_unit_id = $1) and id > $2',
      ['shop.event'],
    ],
    [
      'if the unit must differ',
      'select name from shop.event where business_unit_id <> $1',
      ['shop.event'],
    ],
    [
      'if only two rows must be of one unit',
      'select e.name from shop.event e join shop.ticket t on t.business_unit_id = e.business_unit_id where t.id = $1',
      ['shop.event', 'shop.ticket'],
    ],
    [
      'if only the optional side of a join is filtered',
      'select t.id from shop.ticket t left join shop.event e on e.id = t.event_id and e.business_unit_id = $1 where t.id = $2',
      ['shop.ticket'],
    ],
    [
      'if only one branch of a union is filtered',
      `select t.id ${ticket} union all select id from shop.ticket where event_id = $3`,
      ['shop.ticket'],
    ],
    [
      'if only a sub-select of a result is filtered',
      'select id, (select e.name from shop.event e where e.id = $1 and e.business_unit_id = $2) from shop.ticket where event_id = $1',
      ['shop.ticket'],
    ],
    [
      'if a table without a unit is read by the id of its parent',
      'select position from shop.item where ticket_id = $1',
      ['shop.item'],
    ],
    [
      'if it updates a row of any unit',
      'update shop.event set name = $2 where id = $1',
      ['shop.event'],
    ],
    [
      'if it updates a row of any unit in a part of it',
      'with moved as (update shop.event set name = $2 where id = $1 returning id, business_unit_id) select id from moved where business_unit_id = $3',
      ['shop.event'],
    ],
    [
      'if it overwrites a row of any unit on a conflict',
      'insert into shop.event (id, business_unit_id) values ($1, $2) on conflict (id) do update set name = $3',
      ['shop.event'],
    ],
    ['if it deletes a row of any unit', 'delete from shop.event where id = $1', ['shop.event']],
  ] as const)('%s', async (_name, sql, tables) => {
    expect(await unfiltered(sql)).toEqual(missing(...tables));
  });
});

test('a list has a filter with every set of its filters and in every order', async () => {
  const list: ListDefinition<never, 'event' | 'perk'> = {
    name: 'test_list',
    select: 'select t.id from shop.ticket t',
    scope: ['t.business_unit_id = $1', 't.event_id = $2'],
    filters: {
      event: (value) => `t.event_id = ${value}::text`,
      perk: (value) => `t.perk_ids @> array[${value}::text]`,
    },
  };
  // The index of the second set does not start with the unit.
  const indexes = [{ filters: ['event', 'perk'] }, { filters: ['perk'], scoped: false }] as const;
  const orders = [
    { order: newestFirst<'event' | 'perk'>('shop.ticket', 't', indexes), after: [null] },
    { order: oldestChangeFirst<'event' | 'perk'>('t', indexes), after: [0, ''] },
  ];
  const texts = orders.flatMap(({ order, after }) =>
    [{}, { event: 'e' }, { perk: 'p' }, { event: 'e', perk: 'p' }].map((filters) => {
      const values = { scope: ['unit', 'evt'], filters, after, limit: 10 };
      return listStatement(list, order, values)[0].text;
    }),
  );
  expect(await readStatements(database, texts)).toEqual({ read: 8, unfiltered: [], excepted: [] });
});

const folders = [
  'platform',
  'gateway',
  'console/server',
  ...readdirSync(join(import.meta.dirname, '../../services')).map((name) => `services/${name}`),
];
const sources = folders
  .flatMap((folder) => {
    const path = join(import.meta.dirname, '../..', folder, 'src');
    return readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(path, file), 'utf8'));
  })
  .join('\n');

test('the list of exceptions contains only statements that exist, each once', () => {
  const names = exceptions.flatMap(({ statements }) =>
    statements.filter((one) => typeof one === 'string'),
  );
  expect(names.filter((name) => !sources.includes(`'${name}'`) && !name.includes('.'))).toEqual([]);
  const matches = names.map((name) =>
    exceptions.filter(({ statements }) =>
      statements.some((one) => one === name || (one instanceof RegExp && one.test(name))),
    ),
  );
  expect(matches.filter((found) => found.length !== 1)).toEqual([]);
  expect(exceptionOf('order_by_path')).toBeUndefined();
});
