import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { createSnapshotClient } from '../../src/http/snapshot-client.ts';
import { eventually } from '../../testing/eventually.ts';
import { type BusHarness, createBusHarness, type Owner, waitUntilIdle } from './harness.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface Deployment {
  harness: BusHarness;
  owner: Owner;
}

/** An owner with its reader and their own database. */
async function deploy(nats?: BusHarness['nats']): Promise<Deployment> {
  const harness = await createBusHarness(nats && { nats: { ...nats, close: async () => {} } });
  closing.push(() => harness.close());
  const owner = await harness.owner();
  await harness.reader({ url: owner.url });
  await eventually(() => expect(owner.messaging.bus.stream).not.toBeNull());
  return { harness, owner };
}

const lineageOf = async ({ owner }: Deployment) =>
  (await owner.messaging.outbox?.lineages())?.lineage;

const count = ({ harness }: Deployment, text: string) =>
  harness.lines.filter((line) => line.includes(text)).length;

test('two deployments on one NATS keep their lineages and projections, and report each other', async () => {
  const first = await deploy();
  await first.owner.put('of-the-first');
  await waitUntilIdle(first.harness);
  const second = await deploy(first.harness.nats);
  const both = [first, second];
  /** Each publishes and then checks, so that both see what the other has published. */
  const round = async (number: number) => {
    for (const { owner } of both) await owner.put(`round-${number}`);
    for (const { harness } of both) await waitUntilIdle(harness);
    return { lineages: await Promise.all(both.map(lineageOf)), resyncs: both.map(resyncs) };
  };
  const resyncs = (deployment: Deployment) => count(deployment, 'resync started');
  await round(1);
  const settled = await round(2);
  for (let number = 3; number < 8; number++) expect(await round(number)).toEqual(settled);
  expect(count(first, 'database_rewound')).toBe(0);
  // It is new: it cannot distinguish messages of another deployment from those that its database
  // lost.
  expect(count(second, 'database_rewound')).toBeLessThanOrEqual(1);
  for (const deployment of both) {
    expect(count(deployment, 'stream_shared')).toBeGreaterThan(0);
    const metrics = await deployment.owner.metrics.text();
    expect(Number(/^stream_shared_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);
  }
});

test('a resync waits if the lineage of an owner changes again and again', async () => {
  const harness = await createBusHarness();
  closing.push(() => harness.close());
  const owner = await harness.owner();
  const signer = await harness.callers.signer('registration');
  const catalog = {
    ...createSnapshotClient({ url: owner.url, signer }),
    // As if each request reached a process with another database.
    lineage: async () => ({ lineage: randomUUID(), previousLineage: null }),
  };
  await harness.reader({ url: owner.url, snapshotClients: { catalog } });
  await eventually(async () => {
    await owner.put('changed');
    expect(harness.alarms().join()).toContain('lineages_alternate');
  });
});

test('a resync that fails again and again, because its owner does not respond, is not taken for a changing lineage', async () => {
  const harness = await createBusHarness();
  closing.push(() => harness.close());
  const owner = await harness.owner();
  await owner.put('first');
  const signer = await harness.callers.signer('registration');
  const client = createSnapshotClient({ url: owner.url, signer });
  let failures = 0;
  const catalog = {
    ...client,
    page: async (...values: Parameters<typeof client.page>) => {
      if (++failures <= 6) throw new Error('no response');
      return client.page(...values);
    },
  };
  await harness.reader({ url: owner.url, snapshotClients: { catalog } });
  await waitUntilIdle(harness);
  expect(failures).toBeGreaterThan(6);
  expect(harness.alarms()).toEqual([]);
});
