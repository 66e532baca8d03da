import { snapshotType } from '@event-api/contracts/messages/snapshot';
import { MikroORM } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { ormOptions } from '../../src/db/migrations.ts';
import { statement } from '../../src/db/statement.ts';
import { OutboxMessage } from '../../src/outbox/outbox.entity.ts';
import { defineCopy } from '../../src/projections/copy.ts';
import { DeadLetter, ProjectionPosition } from '../../src/projections/projection.entity.ts';
import { defineSource, nextVersion } from '../../src/projections/source.ts';
import type { TestDatabase } from '../../src/testing/database.ts';

/** A record that one service owns and another copies. */
export const thingSnapshot = snapshotType({
  type: 'catalog.thing',
  origin: 'catalog',
  data: z.object({ name: z.string(), size: z.int() }),
});

export const publishedThings = defineSource({
  type: thingSnapshot,
  from: 'catalog.thing t',
  data: "jsonb_build_object('name', t.name, 'size', t.size, 'nobodyKnows', true)",
});

const row = ({ name, size }: z.output<typeof thingSnapshot.data>) => ({ name, size });

export const thingCopy = defineCopy({
  type: thingSnapshot,
  table: 'registration.thing_copy',
  columns: { name: 'text', size: 'int' },
  row,
});

/** The same copy, of which another deploy keeps one more column. */
export const widerThingCopy = defineCopy({
  type: thingSnapshot,
  table: 'registration.thing_copy',
  columns: { name: 'text', size: 'int', label: 'text' },
  row: (data) => ({ ...row(data), label: `${data.name} of ${data.size}` }),
});

export const putThings = statement(
  'test_put_things',
  `insert into catalog.thing as t (id, business_unit_id, event_id, version, name, size)
   select id, 'unit', 'evt', (extract(epoch from clock_timestamp()) * 1000000)::bigint, $2, $3
   from unnest($1::text[]) x(id)
   on conflict (id) do update set name = excluded.name, size = excluded.size,
     version = ${nextVersion.replace('version', 't.version')}`,
);

const copied = 'id text primary key, business_unit_id text, event_id text, version bigint not null';

export const ormOf = (url: string, schema: string) =>
  ormOptions({
    url,
    schema,
    entities: [OutboxMessage, ProjectionPosition, DeadLetter],
    migrations: new URL('../no-migrations', import.meta.url),
  });

/** The tables of both services. A copy of a thing is never larger than 1000. */
export async function createTables({ url, sql }: TestDatabase): Promise<void> {
  for (const schema of ['catalog', 'registration']) {
    const orm = await MikroORM.init(ormOf(url, schema));
    await sql(`create schema ${schema}`);
    await orm.schema.create();
    await orm.close(true);
  }
  await sql(`create table catalog.thing (${copied}, name text not null, size int not null)`);
  await sql(
    `create table registration.thing_copy (${copied}, name text not null,
       size int not null check (size <= 1000), label text)`,
  );
}
