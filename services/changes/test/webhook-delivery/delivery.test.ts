import { createHmac, createPublicKey, verify } from 'node:crypto';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { decodeCursor } from '../../src/feed/cursor.ts';
import { newUnit } from '../harness.ts';
import { startDeliveries, type TestDeliveries } from './harness.ts';
import {
  expectOrderPerObject,
  type Received,
  type Receiver,
  sequencesOf,
  startReceiver,
} from './receiver.ts';

let deliveries: TestDeliveries;
const receivers: Receiver[] = [];
beforeAll(async () => {
  deliveries = await startDeliveries();
  await deliveries.startProcess();
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});
afterAll(() => deliveries?.close());

const newReceiver = async () => {
  const receiver = await startReceiver();
  receivers.push(receiver);
  return receiver;
};
const minute = 60_000;
const hour = 60 * minute;
const idsOf = (received: readonly Received[]) =>
  received.map(({ headers }) => headers['webhook-id']);

describe('a delivery', () => {
  test('is the entry of the feed, signed, with the cursor of what was delivered before', async () => {
    const unit = newUnit();
    const receiver = await newReceiver();
    await deliveries.addChanges(unit, ['ord_0']);
    const { id, secret, publicKey } = await deliveries.createEndpoint({ unit, url: receiver.url });
    const [change] = await deliveries.addChanges(unit, ['ord_1']);
    await eventually(async () =>
      expect(await deliveries.endpoint(id)).toMatchObject({ watermark: 2, next: 3 }),
    );
    const [received] = receiver.received;
    expect(receiver.received).toHaveLength(1);
    expect(received?.body).toBe(JSON.stringify(change));
    const { headers } = received ?? {};
    expect(headers).toMatchObject({
      ...{ 'content-type': 'application/json', 'user-agent': 'event-api-webhooks/1' },
      'webhook-id': change?.id,
      'webhook-timestamp': String(deliveries.clock.now().getTime() / 1000),
    });
    expect(decodeCursor(String(headers?.['webhook-cursor']))).toMatchObject({ sequence: 1 });
    const content = `${change?.id}.${headers?.['webhook-timestamp']}.${received?.body}`;
    const [symmetric = '', asymmetric = ''] = String(headers?.['webhook-signature']).split(' ');
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    expect(symmetric).toBe(`v1,${createHmac('sha256', key).update(content).digest('base64')}`);
    const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
    const verifying = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const signature = Buffer.from(asymmetric.slice('v1a,'.length), 'base64');
    expect(verify(null, Buffer.from(content), verifying, signature)).toBe(true);
    expect(await deliveries.attempts(id)).toEqual([
      {
        ...{ change_id: change?.id, sequence: 2, attempt: 1, is_replay: false },
        ...{ result: 'delivered', response_status: 200, reason: null },
      },
    ]);
  });

  test('is made only of changes with a type of the endpoint', async () => {
    const unit = newUnit();
    const receiver = await newReceiver();
    const types = ['order.refunded' as const];
    const { id } = await deliveries.createEndpoint({ unit, url: receiver.url, types });
    await deliveries.addChanges(unit, ['ord_1', 'ord_2']);
    const [refunded] = await deliveries.addChanges(unit, ['ord_3'], { type: 'order.refunded' });
    await deliveries.addChanges(unit, ['ord_4']);
    await eventually(async () =>
      expect(await deliveries.endpoint(id)).toMatchObject({ watermark: 4 }),
    );
    expect(idsOf(receiver.received)).toEqual([refunded?.id]);
  });
});

describe('a failed delivery', () => {
  test('delays the changes of its object only, which follow in order', async () => {
    const unit = newUnit();
    const receiver = await newReceiver();
    let isBroken = true;
    receiver.react(({ body }) => (isBroken && body.includes('ord_bad') ? 500 : 200));
    const { id } = await deliveries.createEndpoint({ unit, url: receiver.url });
    await deliveries.addChanges(unit, ['ord_bad', 'ord_1', 'ord_bad', 'ord_2', 'ord_bad', 'ord_1']);
    await eventually(async () => {
      expect(sequencesOf(receiver.received).toSorted()).toEqual([1, 2, 4, 6]);
      expect(await deliveries.endpoint(id)).toMatchObject({ watermark: 0, next: 7 });
    });
    isBroken = false;
    receiver.received.length = 0;
    await deliveries.afterTime(6000, unit, async () =>
      expect(await deliveries.endpoint(id)).toMatchObject({ watermark: 6, next: 7 }),
    );
    expect(sequencesOf(receiver.received)).toEqual([1, 3, 5]);
    expect(await deliveries.lanes(id)).toEqual([]);
  });

  test('is given up after ten attempts in 75 hours, and the next change of its object follows', async () => {
    const unit = newUnit();
    const receiver = await newReceiver();
    receiver.react(({ body }) => (JSON.parse(body).sequence === 1 ? 500 : 200));
    const { id } = await deliveries.createEndpoint({ unit, url: receiver.url });
    await deliveries.addChanges(unit, ['ord_1', 'ord_1']);
    const startedAt = deliveries.clock.now().getTime();
    const expectAttempts = async (count: number) =>
      expect((await deliveries.attempts(id)).length).toBeGreaterThanOrEqual(count);
    await eventually(() => expectAttempts(1));
    for (let attempt = 2; attempt <= 10; attempt++) {
      const [lane] = await deliveries.lanes(id);
      const dueMs = (lane?.next_at.getTime() ?? 0) - deliveries.clock.now().getTime();
      await deliveries.afterTime(dueMs, unit, () => expectAttempts(attempt));
    }
    const hours = (deliveries.clock.now().getTime() - startedAt) / hour;
    expect(hours).toBeGreaterThan(67);
    expect(hours).toBeLessThan(84);
    await eventually(async () =>
      expect(await deliveries.endpoint(id)).toMatchObject({ watermark: 2, status: 'enabled' }),
    );
    const results = (await deliveries.attempts(id)).map(({ sequence, attempt, result }) => [
      ...[sequence, attempt, result],
    ]);
    expect(results).toEqual([
      ...Array.from({ length: 9 }, (_, n) => [1, n + 1, 'retrying']),
      [1, 10, 'failed'],
      [2, 1, 'delivered'],
    ]);
  });

  test('waits for Retry-After', async () => {
    const unit = newUnit();
    const receiver = await newReceiver();
    receiver.react(() => (response) => response.writeHead(503, { 'retry-after': '600' }).end());
    const { id } = await deliveries.createEndpoint({ unit, url: receiver.url });
    const sentAt = deliveries.clock.now().getTime();
    await deliveries.addChanges(unit, ['ord_1']);
    await eventually(async () => expect(await deliveries.lanes(id)).toHaveLength(1));
    const [lane] = await deliveries.lanes(id);
    expect(lane?.next_at.getTime()).toBe(sentAt + 600_000);
  });
});

describe('an endpoint that does not respond', () => {
  test('is tried with its oldest change only, and gets all others after a success, oldest first', async () => {
    const unit = newUnit();
    const receiver = await newReceiver();
    receiver.react(() => 'reset');
    const { id } = await deliveries.createEndpoint({ unit, url: receiver.url });
    const objects = Array.from({ length: 30 }, (_, n) => `ord_${n % 15}`);
    await deliveries.addChanges(unit, objects);
    await eventually(async () => {
      expect((await deliveries.endpoint(id)).backoff_until).not.toBeNull();
      expect(await deliveries.attempts(id)).toHaveLength(8);
    });
    receiver.received.length = 0;
    await deliveries.afterTime(6000, unit, async () =>
      expect(await deliveries.attempts(id)).toHaveLength(9),
    );
    expect(receiver.received).toHaveLength(1);
    receiver.react(() => 200);
    receiver.received.length = 0;
    await deliveries.afterTime(6 * minute, unit, async () =>
      expect(await deliveries.endpoint(id)).toMatchObject({ watermark: 30, failures: 0 }),
    );
    const sequences = sequencesOf(receiver.received);
    expect(sequences.toSorted((a, b) => a - b)).toEqual(objects.map((_, n) => n + 1));
    expect(sequences[0]).toBeLessThanOrEqual(8);
    expectOrderPerObject(receiver.received);
  });

  test('is disabled after five days', async () => {
    const unit = newUnit();
    const receiver = await newReceiver();
    receiver.react(() => 'reset');
    const { id } = await deliveries.createEndpoint({ unit, url: receiver.url });
    await deliveries.addChanges(unit, ['ord_1']);
    for (let days = 0; days < 5.5; days += 1 / 2) {
      await eventually(async () => expect(await deliveries.attempts(id)).not.toHaveLength(0));
      // An endpoint that fails gets a change now and then.
      await deliveries.addChanges(unit, [`ord_${days}`]);
      await deliveries.afterTime(12 * hour, unit, async () => {
        const { backoff_until, status } = await deliveries.endpoint(id);
        if (status === 'enabled')
          expect(backoff_until?.getTime()).toBeGreaterThan(deliveries.clock.now().getTime());
      });
    }
    expect(await deliveries.endpoint(id)).toMatchObject({
      ...{ status: 'disabled', disabled_reason: 'failing' },
    });
    const requests = receiver.received.length;
    await deliveries.addChanges(unit, ['ord_new']);
    await deliveries.afterTime(48 * hour, unit, () => {});
    expect(receiver.received).toHaveLength(requests);
  });
});

describe('a 410', () => {
  test('disables the endpoint at once', async () => {
    const unit = newUnit();
    const receiver = await newReceiver();
    receiver.react(() => 410);
    const { id } = await deliveries.createEndpoint({ unit, url: receiver.url });
    await deliveries.addChanges(unit, ['ord_1']);
    await eventually(async () =>
      expect(await deliveries.endpoint(id)).toMatchObject({
        ...{ status: 'disabled', disabled_reason: 'gone', watermark: 0, lease_holder: null },
      }),
    );
    const rows = await deliveries.sql<{ entry: string }>(
      'select entry from changes.feed_change where object_id = $1',
      [id],
    );
    expect(rows.map(({ entry }) => JSON.parse(entry))).toMatchObject([
      {
        ...{ sequence: 2, type: 'webhook_endpoint.disabled', eventId: null },
        ...{ previous: { status: 'enabled' }, current: { status: 'disabled' } },
        actor: { type: 'system', id: 'webhook-delivery' },
      },
    ]);
  });
});

describe('a pending endpoint', () => {
  test('gets nothing but its ping, and the changes since its creation once it has acknowledged it', async () => {
    const unit = newUnit();
    const receiver = await newReceiver();
    receiver.react(() => 500);
    const { id, pingId } = await deliveries.createEndpoint({
      ...{ unit, url: receiver.url, status: 'pending' },
    });
    const [change] = await deliveries.addChanges(unit, ['ord_1']);
    await eventually(async () => expect(await deliveries.attempts(id)).toHaveLength(1));
    receiver.react(() => 200);
    await deliveries.afterTime(6000, unit, async () =>
      expect(await deliveries.endpoint(id)).toMatchObject({ status: 'enabled', watermark: 1 }),
    );
    expect(idsOf(receiver.received)).toEqual([pingId, pingId, change?.id]);
  });

  test('is disabled if no ping is acknowledged within an hour', async () => {
    const unit = newUnit();
    const receiver = await newReceiver();
    receiver.react(() => 500);
    const { id } = await deliveries.createEndpoint({
      ...{ unit, url: receiver.url, status: 'pending' },
    });
    await eventually(async () => expect(await deliveries.attempts(id)).toHaveLength(1));
    await deliveries.afterTime(hour, unit, async () =>
      expect(await deliveries.endpoint(id)).toMatchObject({
        ...{ status: 'disabled', disabled_reason: 'ping_failed' },
      }),
    );
  });
});

describe('a replay', () => {
  test('repeats changes with the same id and a new timestamp, and leaves the watermark', async () => {
    const unit = newUnit();
    const receiver = await newReceiver();
    const { id } = await deliveries.createEndpoint({ unit, url: receiver.url });
    const changes = await deliveries.addChanges(unit, ['ord_1', 'ord_2', 'ord_3', 'ord_4']);
    await eventually(async () =>
      expect(await deliveries.endpoint(id)).toMatchObject({ watermark: 4 }),
    );
    receiver.received.length = 0;
    let failures = 1;
    receiver.react(() => (failures-- > 0 ? 500 : 200));
    deliveries.clock.advance(minute);
    await deliveries.sql(
      `insert into changes.webhook_replay (endpoint_id, id, from_sequence, sequence, to_sequence, next_at, created_at)
       values ($1, 'rpl_1', 2, 2, 3, $2, $2)`,
      [id, deliveries.clock.now()],
    );
    deliveries.notify(unit);
    // The time of the retry counts from the stored failure.
    const replayed = async () =>
      (await deliveries.attempts(id)).filter(({ is_replay }) => is_replay);
    await eventually(async () => expect(await replayed()).toHaveLength(1));
    await deliveries.afterTime(6000, unit, async () =>
      expect(await deliveries.sql('select id from changes.webhook_replay')).toEqual([]),
    );
    const [first, , last] = receiver.received;
    expect(idsOf(receiver.received)).toEqual([changes[1]?.id, changes[1]?.id, changes[2]?.id]);
    expect(last?.body).toBe(JSON.stringify(changes[2]));
    expect(last?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
    expect(await deliveries.endpoint(id)).toMatchObject({ watermark: 4, next: 5 });
    expect(await replayed()).toHaveLength(3);
  });
});

describe('a new epoch of the feed', () => {
  test('is in the cursor, and deliveries continue without a gap or a repetition', async () => {
    const unit = newUnit();
    const receiver = await newReceiver();
    const { id } = await deliveries.createEndpoint({ unit, url: receiver.url });
    await deliveries.addChanges(unit, ['ord_1', 'ord_2']);
    await eventually(async () =>
      expect(await deliveries.endpoint(id)).toMatchObject({ watermark: 2 }),
    );
    const epoch = 'f1c8b1b6-2f0e-4a55-8d4a-0d8c7e0f9f11';
    await deliveries.sql(
      'update changes.feed_head set epoch = $2, floor = sequence where business_unit_id = $1',
      [unit, epoch],
    );
    await deliveries.addChanges(unit, ['ord_1', 'ord_3']);
    await eventually(async () =>
      expect(await deliveries.endpoint(id)).toMatchObject({ watermark: 4 }),
    );
    expect(sequencesOf(receiver.received)).toEqual([1, 2, 3, 4]);
    const cursor = receiver.received.at(-1)?.headers['webhook-cursor'];
    expect(decodeCursor(String(cursor))).toMatchObject({ epoch });
  });
});
