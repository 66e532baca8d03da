import { expect, test } from 'vitest';
import { querySummary } from './trace-statement.ts';

test.each([
  [{ name: 'order_by_id', text: "select 'ada'" }, 'order_by_id'],
  ['begin', 'begin'],
  ['COMMIT', 'commit'],
  [{ text: 'start transaction isolation level read committed' }, 'start transaction'],
  [
    `insert into "catalog"."event" ("id", "name") values ('evt_1', 'Ada Lovelace')`,
    'insert catalog.event',
  ],
  [`update "catalog"."event" set "name" = 'Ada' where "id" = 'evt_1'`, 'update catalog.event'],
  [`delete from "perk_binding" where "id" = 'Ada'`, 'delete perk_binding'],
  [`select "e0".* from "catalog"."event" as "e0" where "e0"."id" = 'Ada'`, 'select catalog.event'],
  // The content of a literal could look like a table.
  [`select 'x from "ada"."lovelace"' as "greeting"`, 'select'],
  [`select 'x' from "ada"."lovelace"`, 'select'],
  [`with ada as (select 'Ada') select * from ada`, 'statement'],
  [`'Ada'`, 'statement'],
  [{}, 'statement'],
])('querySummary returns for %j: %s', (query, summary) => {
  expect(querySummary(query)).toBe(summary);
});
