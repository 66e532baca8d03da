import { expect, test } from 'vitest';
import { statement } from '../src/db/statement.ts';
import { createTestDatabase } from '../testing/database.ts';
import { postgresUrl } from '../testing/servers.ts';
import { readScans } from '../testing/wide-scans.ts';

const unit = 'business_unit_id = $1 and event_id = $2';

test.each([
  [
    'a scan by unit and event that checks an id',
    `select name from shop.ticket where ${unit} and code = $3`,
    { wide: ['test_scan: ticket_of_event ((ticket.code = $3))'], repeated: [] },
  ],
  [
    'a scan by the id',
    `select name from shop.ticket where (business_unit_id = $1) is true and (event_id = $2) is true and id = $3`,
    { wide: [], repeated: [] },
  ],
  [
    'a list of an event',
    `select name from shop.ticket where ${unit} and ((code = $3) is true)`,
    { wide: [], repeated: [] },
  ],
  [
    'a list of an event with an optional condition',
    `select name from shop.ticket where ${unit} and ($3::text is null or code = $3)`,
    { wide: [], repeated: [] },
  ],
  [
    'a limited sub-select that each row of a join reads again',
    'delete from shop.queue where position in (select position from shop.queue order by position limit 10)',
    { wide: [], repeated: ['test_scan'] },
  ],
  [
    'a limited sub-select that is read once',
    'delete from shop.queue where position = any(array(select position from shop.queue order by position limit 10))',
    { wide: [], repeated: [] },
  ],
])('%s', async (_name, sql, expected) => {
  const database = await createTestDatabase(await postgresUrl());
  try {
    await database.sql(`
      create schema shop;
      create table shop.ticket (id text primary key, business_unit_id text, event_id text, code text, name text);
      create index ticket_of_event on shop.ticket (business_unit_id, event_id);
      create table shop.queue (position bigserial primary key)`);
    const { text } = statement('test_scan', sql);
    expect(await readScans(database, [text])).toEqual({ read: 1, ...expected });
  } finally {
    await database.drop();
  }
});
