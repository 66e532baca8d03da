import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiProcessNames, type ProcessName } from '@event-api/contracts/topology';
import { checkInvariantsWhenIdle } from '@event-api/load-tests/invariants.ts';
import { eventually } from '@event-api/platform/testing/eventually';
import { migrateProcess } from '@event-api/tools/platform/prepare-database';
import { currentSource, type ProcessSource } from '@event-api/tools/platform/process-source';
import { readBaseline } from '@event-api/tools/release/baseline';
import { checkOutRelease, hasRevision } from '@event-api/tools/release/previous-release';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Fault, startLoad } from './background-load.ts';
import { type BusFixture, createBusFixture, expectStatus, openEvent } from './fixtures/bus.ts';
import { fastRetries, randomEmail } from './fixtures/checkout.ts';

const { revision } = readBaseline();
const isFull = process.env.TEST_SIZE === 'full';
const responses = isFull ? 400 : 50;

const isSkipped = !hasRevision(revision) && !isFull;
if (isSkipped) {
  console.warn(
    `skipped: this clone lacks the previous release, commit ${revision}; git fetch --unshallow gets it`,
  );
}

describe.skipIf(isSkipped)('services of the previous and of the current release', () => {
  let platform: BusFixture;
  let previous: ProcessSource;
  beforeAll(async () => {
    previous = await checkOutRelease(revision);
    platform = await createBusFixture({ source: previous, env: { commerce: fastRetries } });
  });
  afterAll(() => platform?.stop());

  /**
   * Restarts a process from other sources, or starts one that the previous release does not have.
   */
  async function replace(name: ProcessName, source: ProcessSource): Promise<void> {
    const isRunning = previous.topology.some((each) => each.name === name);
    if (isRunning) await platform.processes.stop(name);
    await platform.processes.start(platform.specFrom(source, name));
  }

  /** Sends the requests of two integrators and returns the unexpected responses. */
  async function faultsUnderLoad(): Promise<Fault[]> {
    const units = await Promise.all([platform.newUnit(), platform.newUnit()]);
    const clients = units.map(({ at }) => at(platform.gatewayUrl));
    const load = await startLoad(clients, 0);
    await eventually(() => expect(load.responseCount()).toBeGreaterThan(responses));
    await load.stop();
    return load.faults;
  }

  test('serve all requests before the first release', async () => {
    expect(await faultsUnderLoad()).toEqual([]);
  });

  // As a release: its migration, while its previous code still runs, then its code.
  test.each(apiProcessNames)('serve all requests when %s is released', async (name) => {
    await migrateProcess(platform.database.urls, name, new AbortController().signal);
    if (isFull) expect(await faultsUnderLoad()).toEqual([]);
    await replace(name, currentSource);
    expect(await faultsUnderLoad()).toEqual([]);
  });

  test('read and assign the open seats of each other', async () => {
    const { at } = await platform.newUnit();
    const call = at(platform.gatewayUrl);
    const { path, typeId } = await openEvent(call, { capacity: 2 });
    const items = [{ itemType: 'registration_type', itemId: typeId, quantity: 2 }];
    const body = { email: randomEmail(), items, assignLater: true };
    const { id } = await expectStatus(call, ['POST', `${path}/orders`, body]);
    const order = `${path}/orders/${id}`;
    await expectStatus(call, ['POST', `${order}/confirm`, {}]);
    const seatsOf = async () => {
      const { orders } = await expectStatus(call, ['GET', `${path}/orders`]);
      const { seats } = await expectStatus(call, ['GET', order]);
      expect(orders).toMatchObject([{ id, seats }]);
      return seats.map(({ status }: { status: string }) => status);
    };
    const [first, second] = (await expectStatus(call, ['GET', order])).seats;
    const assign = (seat: { id: string }) =>
      expectStatus(call, ['POST', `${order}/seats/${seat.id}/assign`, { email: randomEmail() }]);
    expect(await seatsOf()).toEqual(['open', 'open']);
    // As a release that is taken back, on the schema of the current one.
    await replace('commerce', previous);
    expect(await seatsOf()).toEqual(['open', 'open']);
    await assign(first);
    expect(await seatsOf()).toEqual(['assigned', 'open']);
    await replace('commerce', currentSource);
    expect(await seatsOf()).toEqual(['assigned', 'open']);
    await assign(second);
    expect(await seatsOf()).toEqual(['assigned', 'assigned']);
  });

  test('leave consistent data', async () => {
    const { checked, broken } = await checkInvariantsWhenIdle(platform.database.urls);
    expect(broken).toEqual({});
    expect(checked).toBeGreaterThan(10);
  });

  test('fail if a release calls an operation at another path', async () => {
    const broken = copySource('services/commerce', {
      file: 'contracts/src/internal/reservations.ts',
      from: "url: '/internal/reservations'",
      to: "url: '/internal/reservations-elsewhere'",
    });
    await replace('commerce', broken);
    const faults = await faultsUnderLoad();
    expect(faults.map(({ request }) => request).join('\n')).toMatch(/^POST .*\/orders$/m);
    expect(faults.map(({ got }) => got).join('\n')).toMatch(/^(404|503)/m);
  });
});

/** Copies what a process runs, with one text replaced. */
function copySource(
  folder: string,
  edit: { file: string; from: string; to: string },
): ProcessSource {
  const root = join(inject('runFolder'), 'broken-release');
  rmSync(root, { recursive: true, force: true });
  for (const part of ['contracts', 'rules', 'platform', folder]) {
    cpSync(join(currentSource.root, part), join(root, part), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
  symlinkSync(join(currentSource.root, 'node_modules'), join(root, 'node_modules'));
  const file = join(root, edit.file);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(edit.from);
  writeFileSync(file, text.replace(edit.from, edit.to));
  return { ...currentSource, root };
}
