import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { unavailable } from '../../src/core/errors.ts';
import { createSnapshotClient } from '../../src/http/snapshot-client.ts';
import type { SnapshotClient } from '../../src/messaging/projections/snapshot-client.ts';
import { eventually } from '../../testing/eventually.ts';
import { disableGuard } from '../../testing/switches/switches.ts';
import {
  allPublished,
  type BusHarness,
  createBusHarness,
  type Owner,
  waitUntilIdle,
} from './harness.ts';

let harness: BusHarness;
afterEach(() => harness?.close());

const tablesOf = {
  catalog: ['thing', 'outbox_message', 'stream_state'],
  registration: ['thing_projection', 'projection_checkpoint'],
};

/** Saves the tables of these services. Returns what puts them back in one transaction. */
async function backUp(services: readonly (keyof typeof tablesOf)[]): Promise<() => Promise<void>> {
  const backup = `backup_${randomUUID().slice(0, 8)}`;
  const tables = services.flatMap((service) =>
    tablesOf[service].map((table) => ({ table, full: `${service}.${table}` })),
  );
  const saved = tables.map(
    ({ table, full }) => `create table ${backup}.${table} as table ${full};`,
  );
  await harness.sql(`begin; create schema ${backup}; ${saved.join('')} commit`);
  return async () => {
    const steps = tables.map(
      ({ table, full }) => `truncate ${full}; insert into ${full} table ${backup}.${table};`,
    );
    await harness.sql(`begin; ${steps.join('')} commit`);
  };
}

/** Records the id of every row that is written to the projection, in `public.applied`. */
const watchProjection = () =>
  harness.sql(`create table public.applied (id text);
    create function public.note() returns trigger language plpgsql as
      $$ begin insert into public.applied values (new.id); return new; end $$;
    create trigger note after insert or update on registration.thing_projection
      for each row execute function public.note()`);

const applied = async () =>
  (await harness.sql<{ id: string }>('select distinct id from public.applied')).map(({ id }) => id);

const originState = async () => {
  const [row] = await harness.sql<{ catalog: { lineage: string; status: string } }>(
    "select origins->'catalog' as catalog from registration.projection_checkpoint",
  );
  return row?.catalog;
};

async function startBoth(): Promise<Owner> {
  harness = await createBusHarness();
  const owner = await harness.owner();
  await eventually(() => expect(owner.messaging.bus.stream).not.toBeNull());
  return owner;
}

/**
 * Both databases are put back; the stream still has the messages of records that no longer exist.
 */
async function putBackBoth(): Promise<Owner> {
  const owner = await startBoth();
  const reader = await harness.reader({ url: owner.url });
  await owner.put(['kept', 'changed']);
  await waitUntilIdle(harness);
  await allPublished(harness);
  await eventually(async () => expect((await originState())?.status).toBe('confirmed'));
  await reader.messaging.close();
  const restore = await backUp(['catalog', 'registration']);
  await owner.put(['ghost', 'changed'], { size: 9 });
  await allPublished(harness);
  await owner.messaging.close();
  await restore();
  await watchProjection();
  return harness.owner();
}

describe('after both databases were put back', () => {
  test('records that no longer exist are never applied', async () => {
    const owner = await putBackBoth();
    await harness.reader({ url: owner.url });
    await owner.put('later');
    await waitUntilIdle(harness);
    expect((await harness.projections()).map(({ id }) => id)).toEqual(['changed', 'kept', 'later']);
    expect(await applied()).not.toContain('ghost');
    await eventually(async () =>
      expect(await originState()).toEqual({
        lineage: (await owner.messaging.outbox?.lineages())?.lineage,
        status: 'confirmed',
      }),
    );
  });

  test('they are applied without the check, which this negative control disables', async () => {
    disableGuard('lineage');
    const owner = await putBackBoth();
    await harness.reader({ url: owner.url });
    await eventually(async () => expect(await applied()).toContain('ghost'));
    expect((await harness.projections()).map(({ id }) => id)).toContain('ghost');
  });
});

describe('after the database of the owner alone was put back', () => {
  test('the projections are rebuilt without a command', async () => {
    const owner = await startBoth();
    await harness.reader({ url: owner.url });
    await owner.put('kept');
    await waitUntilIdle(harness);
    await allPublished(harness);
    const restore = await backUp(['catalog']);
    await owner.put(['kept', 'ghost'], { size: 9 });
    await waitUntilIdle(harness);
    await allPublished(harness);
    expect(await harness.projections()).toHaveLength(2);
    await restore();
    await harness.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'catalog'`,
    );
    await waitUntilIdle(harness);
    expect(await harness.projections()).toMatchObject([{ id: 'kept', size: 1 }]);
  });
});

describe('an owner that does not respond', () => {
  test('is followed unconfirmed, and confirmed as soon as it responds', async () => {
    const owner = await startBoth();
    const first = await harness.reader({ url: owner.url });
    await owner.put('kept');
    await waitUntilIdle(harness);
    await eventually(async () => expect((await originState())?.status).toBe('confirmed'));
    await first.messaging.close();
    let isAway = true;
    const signer = await harness.callers.signer('registration');
    const real = createSnapshotClient({ url: owner.url, signer });
    const catalog: SnapshotClient = {
      ...real,
      lineage: (signal) =>
        isAway ? Promise.reject(unavailable(new Error('away'))) : real.lineage(signal),
    };
    await harness.reader({ url: owner.url, snapshotClients: { catalog } });
    await eventually(async () => expect((await originState())?.status).toBe('unconfirmed'));
    await owner.put('followed');
    await waitUntilIdle(harness);
    expect((await originState())?.status).toBe('unconfirmed');
    isAway = false;
    await eventually(async () => expect((await originState())?.status).toBe('confirmed'));
  });
});
