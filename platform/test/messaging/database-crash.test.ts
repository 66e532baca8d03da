import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import {
  createPostgresFolder,
  type PrivatePostgres,
  startPrivatePostgres,
} from '../../testing/private-postgres.ts';
import { type BusHarness, createBusHarness } from './harness.ts';
import { createTables } from './items.ts';

// The server writes commits that no client waits for only every ten seconds, so that a crash loses
// them.
const settings = { synchronous_commit: 'on', wal_writer_delay: '10s' };

let server: PrivatePostgres;
let database: TestDatabase;
let harness: BusHarness;
beforeAll(async () => {
  server = await startPrivatePostgres({ folder: createPostgresFolder().data, settings });
  database = await createTestDatabase(server.url);
  await createTables(database);
  harness = await createBusHarness();
}, 60_000);
afterAll(async () => {
  await harness?.close();
  await server?.close();
});

test('projections that a crash of the database server sets back are not read as current, and catch up', async () => {
  const owner = await harness.owner();
  const { messaging } = await harness.reader({ url: owner.url, database });
  const names = async () => {
    const rows = await harness.projections(database);
    return rows.map(({ id }) => id);
  };
  let hasLost = false;
  // The server may write the commits by chance in the moment before the crash.
  for (let attempt = 1; attempt <= 5 && !hasLost; attempt++) {
    const id = `thing-${attempt}`;
    const token = await eventually(async () => {
      const written = await owner.put(id);
      if (!written) throw new Error('no acknowledgement');
      return written;
    });
    await eventually(async () => expect(await messaging.checkpoint.waitFor(token)).toBe(true));
    expect(await names()).toContain(id);
    // The reader cannot read the lost messages again yet.
    await harness.nats.stall();
    // An immediate shutdown: like a crash, it writes nothing any more.
    await server.kill('SIGQUIT');
    await server.start();
    hasLost = !(await eventually(names)).includes(id);
    if (hasLost) expect(await messaging.checkpoint.waitFor(token, 300)).toBe(false);
    harness.nats.resume();
    await eventually(async () => {
      expect(await messaging.checkpoint.waitFor(token)).toBe(true);
      expect(await names()).toContain(id);
    });
  }
  expect(hasLost).toBe(true);
});
