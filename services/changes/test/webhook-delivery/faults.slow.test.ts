import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@event-api/platform/core/ids';
import { eventually } from '@event-api/platform/testing/eventually';
import { atStep, disableGuard } from '@event-api/platform/testing/switches/switches';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newUnit } from '../harness.ts';
import { startDeliveries, type TestDeliveries } from './harness.ts';
import {
  expectOrderPerObject,
  type Reaction,
  type Received,
  type Receiver,
  sequencesOf,
  startReceiver,
} from './receiver.ts';

let deliveries: TestDeliveries;
const receivers: Receiver[] = [];
beforeAll(async () => {
  deliveries = await startDeliveries();
});
afterEach(async () => {
  await deliveries.stopProcesses();
  await deliveries.sql(`update changes.webhook_endpoint set status = 'disabled'`);
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});
afterAll(() => deliveries?.close());

const newReceiver = async () => {
  const receiver = await startReceiver();
  receivers.push(receiver);
  return receiver;
};
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
const objectsOf = (count: number, distinct: number) =>
  numbers(count).map((n) => `ord_${(n * 7) % distinct}`);

/**
 * Moves the clock to whatever is due next, until an endpoint has delivered everything up to
 * `sequence`.
 */
const finish = (unit: string, id: string, sequence: number) =>
  eventually(async () => {
    const endpoint = await deliveries.endpoint(id);
    const lanes = await deliveries.lanes(id);
    const dueAt = endpoint.backoff_until ?? lanes.map((lane) => lane.next_at).toSorted(byTime)[0];
    const dueMs = dueAt ? dueAt.getTime() - deliveries.clock.now().getTime() : 0;
    deliveries.clock.advance(Math.max(0, dueMs));
    deliveries.notify(unit);
    expect(endpoint).toMatchObject({ watermark: sequence });
  });
const byTime = (a: Date, b: Date) => a.getTime() - b.getTime();

describe('a receiver that fails at random', () => {
  test('gets every change of the feed, in order per object', async () => {
    const unit = newUnit();
    const receiver = await newReceiver();
    await deliveries.startProcess({ limitMs: 500 });
    const acknowledged: Received[] = [];
    const reactions: Reaction[] = [200, 200, 200, 200, 500, 302, 'reset', 'hang'];
    const attempts = new Map<string, number>();
    receiver.react((received) => {
      const attempt = (attempts.get(received.body) ?? 0) + 1;
      attempts.set(received.body, attempt);
      // A change that always fails would be given up.
      const reaction = attempt > 4 ? 200 : (reactions[randomInt(reactions.length)] ?? 200);
      if (reaction === 200) acknowledged.push(received);
      return reaction;
    });
    const { id } = await deliveries.createEndpoint({ unit, url: receiver.url });
    const changes = [
      ...(await deliveries.addChanges(unit, objectsOf(60, 9))),
      ...(await deliveries.addChanges(unit, objectsOf(60, 11))),
    ];
    await finish(unit, id, 120);
    // A response that arrives too late is a repetition.
    expect(new Set(sequencesOf(acknowledged))).toEqual(new Set(numbers(120)));
    expect(new Set(acknowledged.map(({ body }) => body))).toEqual(
      new Set(changes.map((change) => JSON.stringify(change))),
    );
    expectOrderPerObject(acknowledged);
  });
});

describe('a dead and a slow endpoint', () => {
  test('do not delay the others', async () => {
    const unit = newUnit();
    await deliveries.startProcess();
    const [dead, slow, healthy] = [await newReceiver(), await newReceiver(), await newReceiver()];
    dead.react(() => 'hang');
    const released = Promise.withResolvers<void>();
    slow.react(async () => {
      await released.promise;
      return 200;
    });
    const create = ({ url }: Receiver) => deliveries.createEndpoint({ unit, url });
    const [, , { id }] = [await create(dead), await create(slow), await create(healthy)];
    await deliveries.addChanges(unit, objectsOf(100, 100));
    await eventually(async () =>
      expect(await deliveries.endpoint(id)).toMatchObject({ watermark: 100 }),
    );
    expect(slow.received.length).toBeLessThanOrEqual(8);
    expect(dead.received.length).toBeLessThanOrEqual(8);
    released.resolve();
  });
});

describe('a drain', () => {
  test('begins no request, waits for the running ones, stores them and releases the lease', async () => {
    const unit = newUnit();
    const receiver = await newReceiver();
    const delivery = await deliveries.startProcess();
    const released = Promise.withResolvers<void>();
    receiver.react(async () => {
      await released.promise;
      return 200;
    });
    const { id } = await deliveries.createEndpoint({ unit, url: receiver.url });
    await deliveries.addChanges(unit, objectsOf(20, 20));
    await eventually(() => expect(receiver.received).toHaveLength(8));
    delivery.drain();
    const stopped = delivery.stop();
    released.resolve();
    await stopped;
    expect(receiver.received).toHaveLength(8);
    expect(await deliveries.endpoint(id)).toMatchObject({ watermark: 8, lease_holder: null });
    await deliveries.startProcess();
    await eventually(async () =>
      expect(await deliveries.endpoint(id)).toMatchObject({ watermark: 20 }),
    );
    expect(sequencesOf(receiver.received).toSorted((a, b) => a - b)).toEqual(numbers(20));
  });
});

describe('two processes', () => {
  /** Starts both, with one endpoint, and counts the requests of one object at a time. */
  async function startTwo() {
    const unit = newUnit();
    const receiver = await newReceiver();
    const running = new Map<string, number>();
    const most = { count: 0 };
    receiver.react(async ({ body }) => {
      const object = JSON.parse(body).object.id;
      running.set(object, (running.get(object) ?? 0) + 1);
      most.count = Math.max(most.count, running.get(object) ?? 0);
      // Long enough for the other process to begin, too.
      await delay(30);
      running.set(object, (running.get(object) ?? 0) - 1);
      return 200;
    });
    for (let n = 0; n < 2; n++) await deliveries.startProcess();
    const { id } = await deliveries.createEndpoint({ unit, url: receiver.url });
    return { unit, receiver, id, most };
  }

  test('do not send for one endpoint at a time', async () => {
    const { unit, receiver, id, most } = await startTwo();
    for (let batch = 0; batch < 5; batch++) {
      await deliveries.addChanges(unit, objectsOf(10, 4));
      await eventually(() => expect(receiver.received.length).toBeGreaterThan(batch * 10));
    }
    await finish(unit, id, 50);
    expectOrderPerObject(receiver.received);
    expect(receiver.received).toHaveLength(50);
    expect(most.count).toBe(1);
  });

  test('would do so without the lease', async () => {
    disableGuard('webhook.lease');
    const { unit, most } = await startTwo();
    await eventually(async () => {
      await deliveries.addChanges(unit, ['ord_1']);
      expect(most.count).toBeGreaterThan(1);
    });
  });
});

describe('a process that has lost its lease', () => {
  test('stores nothing, and the change is sent again', async () => {
    const unit = newUnit();
    const receiver = await newReceiver();
    await deliveries.startProcess();
    const responded = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    atStep('webhook.responded', () => {
      responded.resolve();
      return released.promise;
    });
    const { id } = await deliveries.createEndpoint({ unit, url: receiver.url });
    await deliveries.addChanges(unit, ['ord_1', 'ord_1']);
    await responded.promise;
    await setLease(id, 'another', '1 hour');
    released.resolve();
    await delay(0);
    deliveries.notify(unit);
    expect(await deliveries.attempts(id)).toEqual([]);
    await setLease(id, null, '0');
    await finish(unit, id, 2);
    expect(sequencesOf(receiver.received)).toEqual([1, 1, 2]);
    expect((await deliveries.attempts(id)).map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  const setLease = (id: string, holder: string | null, interval: string) =>
    deliveries.sql(
      `update changes.webhook_endpoint set lease_holder = $2, lease_until = clock_timestamp() + $3::interval where id = $1`,
      [id, holder, interval],
    );
});

describe('changes that are deleted from the feed before their delivery', () => {
  test('are counted, and the later ones are delivered', async () => {
    const unit = newUnit();
    const receiver = await newReceiver();
    const { id } = await deliveries.createEndpoint({ unit, url: receiver.url });
    await deliveries.addChanges(unit, [newId('ord'), newId('ord'), newId('ord')]);
    await deliveries.sql(
      'delete from changes.feed_change where business_unit_id = $1 and sequence <= 2',
      [unit],
    );
    await deliveries.sql('update changes.feed_head set floor = 2 where business_unit_id = $1', [
      unit,
    ]);
    const delivery = await deliveries.startProcess();
    await finish(unit, id, 3);
    expect(sequencesOf(receiver.received)).toEqual([3]);
    expect(await delivery.metrics()).toMatch(/changes_webhooks_expired_total 2\b/);
  });
});
