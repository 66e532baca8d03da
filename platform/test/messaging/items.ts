import { snapshotType } from '@event-api/contracts/messages/snapshot';
import { defineEntity, p } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { ormOptions } from '../../src/db/migrations.ts';
import { nextVersionSql } from '../../src/db/row-version.ts';
import { statement } from '../../src/db/statement.ts';
import { OutboxMessage } from '../../src/messaging/outbox/outbox.entity.ts';
import { StreamState } from '../../src/messaging/outbox/stream-state.entity.ts';
import {
  DeadLetter,
  ProjectionCheckpoint,
} from '../../src/messaging/projections/projection.entity.ts';
import { defineProjection } from '../../src/messaging/projections/projection.ts';
import { defineSnapshotSource } from '../../src/messaging/projections/snapshot-source.ts';
import type { TestDatabase } from '../../testing/database.ts';

/** A record that one service owns and another projects. `label` is not stored by the owner. */
export const itemSnapshot = snapshotType({
  type: 'catalog.thing',
  origin: 'catalog',
  data: z.object({ name: z.string(), size: z.int(), label: z.string() }),
});

const Item = defineEntity({
  name: 'Item',
  tableName: 'thing',
  properties: {
    id: p.text().primary(),
    eventId: p.text(),
    name: p.text(),
    size: p.integer(),
  },
});

export const itemSource = defineSnapshotSource({
  type: itemSnapshot,
  entity: Item,
  computed: { label: "t.name || ' of ' || t.size" },
});

const projected = {
  id: p.text().primary(),
  businessUnitId: p.text(),
  eventId: p.text(),
  version: p.bigint('number'),
  name: p.text(),
  size: p.integer(),
};

export const itemProjection = defineProjection({
  type: itemSnapshot,
  schema: 'registration',
  entity: defineEntity({ name: 'P', tableName: 'thing_projection', properties: projected }),
});

/** The same projection with an additional column, as in another release. */
export const widerItemProjection = defineProjection({
  type: itemSnapshot,
  schema: 'registration',
  entity: defineEntity({
    name: 'WiderP',
    tableName: 'thing_projection',
    properties: { ...projected, label: p.text() },
  }),
});

export const putItems = statement(
  'test_put_things',
  `insert into catalog.thing as t (id, business_unit_id, event_id, version, name, size)
   select id, 'unit', 'evt', (extract(epoch from clock_timestamp()) * 1000000)::bigint, $2, $3
   from unnest($1::text[]) x(id)
   on conflict (id) do update set name = excluded.name, size = excluded.size,
     version = ${nextVersionSql.replace('version', 't.version')}`,
);

const projectedColumns =
  'id text primary key, business_unit_id text, event_id text, version bigint not null';

export const ormOf = (url: string, schema: string) =>
  ormOptions({
    url,
    schema,
    entities: [OutboxMessage, StreamState, ProjectionCheckpoint, DeadLetter],
    migrations: new URL('../no-migrations', import.meta.url),
  });

/** The tables of both services. The size of a projected thing is at most 1000. */
export async function createTables({ url, sql }: TestDatabase): Promise<void> {
  for (const schema of ['catalog', 'registration']) {
    const orm = await MikroORM.init(ormOf(url, schema));
    await sql(`create schema ${schema}`);
    await orm.schema.create();
    await orm.close(true);
  }
  await sql(
    `create table catalog.thing (${projectedColumns}, name text not null, size int not null)`,
  );
  await sql(
    `create table registration.thing_projection (${projectedColumns}, name text not null,
       size int not null check (size <= 1000), label text)`,
  );
}
