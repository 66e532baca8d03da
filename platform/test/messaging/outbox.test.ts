import { randomUUID } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { splitIntoPayloads } from '../../src/messaging/outbox/emit.ts';
import { createGroupPublisher } from '../../src/messaging/outbox/group-publisher.ts';
import { publishOnCommit } from '../../src/messaging/outbox/outbox.ts';
import { eventually } from '../../testing/eventually.ts';
import {
  allPublished,
  type BusHarness,
  createBusHarness,
  type Owner,
  waitUntilIdle,
} from './harness.ts';

let harness: BusHarness;
let owner: Owner;
beforeAll(async () => {
  harness = await createBusHarness();
  owner = await harness.owner();
  await eventually(() => expect(owner.messaging.bus.stream).not.toBeNull());
});
afterAll(() => harness?.close());

const newIds = (count: number) => Array.from({ length: count }, () => `thing-${randomUUID()}`);

async function messagesOfStream(): Promise<{ seq: number; snapshots: { id: string }[] }[]> {
  const { host, username: user, password: pass } = new URL(harness.nats.url);
  const connection = await connect({ servers: host, user, pass });
  const manager = await jetstreamManager(connection);
  const { state } = await manager.streams.info('SNAPSHOTS');
  const found = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
    const message = await manager.streams.getMessage('SNAPSHOTS', { seq });
    found.push({ seq, snapshots: message?.json<{ id: string }[]>() ?? [] });
  }
  await connection.close();
  return found;
}

describe('an emitted snapshot', () => {
  test('is in the stream when the transaction resolves, and the token has its sequence', async () => {
    const [id = ''] = newIds(1);
    const token = await owner.put(id, { name: 'first', size: 7 });
    const last = (await messagesOfStream()).at(-1);
    expect(token).toEqual({
      streamCreatedAt: owner.messaging.bus.stream?.streamCreatedAt,
      sequences: { catalog: last?.seq },
    });
    expect(last?.snapshots).toEqual([
      expect.objectContaining({
        type: 'catalog.thing',
        aggregateId: id,
        businessUnitId: 'unit',
        eventId: 'evt',
        data: { name: 'first', size: 7, label: 'first of 7' },
      }),
    ]);
    await allPublished(harness);
  });

  test('is discarded when the transaction fails', async () => {
    const before = (await messagesOfStream()).length;
    const failing = owner.db.transaction(async (tx) => {
      tx.afterCommit.push({ id: randomUUID(), payload: '[{"never":1}]', traceparent: null });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await owner.put(newIds(1));
    expect(await messagesOfStream()).toHaveLength(before + 1);
  });

  test('has the version of the row, which never decreases', async () => {
    const [id = ''] = newIds(1);
    await owner.put(id);
    const ahead = Number.MAX_SAFE_INTEGER - 5;
    await harness.sql('update catalog.thing set version = $2 where id = $1', [id, ahead]);
    await owner.put(id);
    const last = (await messagesOfStream()).at(-1);
    expect(last?.snapshots).toEqual([expect.objectContaining({ version: ahead + 1 })]);
    await harness.sql('delete from catalog.thing where id = $1', [id]);
  });

  test('is split at 128 snapshots and at 200 KB', () => {
    const snapshot = (id: string, bytes: number) => ({
      id,
      type: 'catalog.thing',
      businessUnitId: 'unit',
      eventId: 'evt',
      aggregateId: id,
      version: 1,
      occurredAt: '2026-01-01T00:00:00Z',
      data: { name: 'é'.repeat(bytes / 2), size: 1 },
    });
    const lengths = (payloads: string[]) => payloads.map((text) => JSON.parse(text).length);
    expect(lengths(splitIntoPayloads(newIds(300).map((id) => snapshot(id, 10))))).toEqual([
      128, 128, 44,
    ]);
    const large = splitIntoPayloads(newIds(5).map((id) => snapshot(id, 90_000)));
    expect(lengths(large)).toEqual([2, 2, 1]);
    for (const payload of large) expect(Buffer.byteLength(payload)).toBeLessThan(210_000);
    expect(lengths(splitIntoPayloads([snapshot('huge', 2_000_000)]))).toEqual([1]);
  });
});

describe('the group publisher', () => {
  /** A publisher on the real stream that records what it publishes. */
  function watched() {
    const sent: number[] = [];
    let underWay = 0;
    let most = 0;
    const { stream } = owner.messaging.bus;
    if (!stream) throw new Error('no stream');
    const js = Object.create(stream.js, {
      publish: {
        async value(subject: string, data: string) {
          sent.push(JSON.parse(data).length);
          most = Math.max(most, ++underWay);
          const ack = await stream.js.publish(subject, data);
          underWay -= 1;
          return ack;
        },
      },
    });
    const bus = { ...owner.messaging.bus, stream: { ...stream, js } };
    const publisher = createGroupPublisher({
      bus,
      origin: 'catalog',
      lineages: () => ({ lineage: randomUUID(), previousLineage: null }),
      spans: null,
      // Not the subject of these tests: on a busy machine an acknowledgement can take longer than in production.
      timeoutMs: 60_000,
      onAck: () => {},
      onFailure: () => {},
    });
    return { publisher, sent, most: () => most };
  }

  const row = (bytes = 20) => ({
    id: randomUUID(),
    payload: `[${'1'.repeat(bytes)}]`,
    traceparent: null,
  });

  test('runs one publish at a time; rows that arrive meanwhile share the next one, at most 128', async () => {
    const { publisher, sent, most } = watched();
    const results = Array.from({ length: 300 }, () => publisher.publish([row()]));
    const tokens = await Promise.all(results);
    expect(sent).toEqual([1, 128, 128, 43]);
    expect(most()).toBe(1);
    expect(tokens.every((token) => token !== null)).toBe(true);
    expect(new Set(tokens.map((token) => token?.sequences.catalog)).size).toBe(4);
  });

  test('puts at most 256 KB into one message', async () => {
    const { publisher, sent } = watched();
    await Promise.all(Array.from({ length: 6 }, () => publisher.publish([row(100_000)])));
    expect(sent).toEqual([1, 2, 2, 1]);
  });

  test('returns the sequence of the last row of a transaction', async () => {
    const { publisher, sent } = watched();
    const token = await publisher.publish(Array.from({ length: 200 }, () => row()));
    expect(sent).toEqual([128, 72]);
    expect(token?.sequences.catalog).toBe((await messagesOfStream()).at(-1)?.seq);
  });
});

describe('a message that the bus rejects', () => {
  test('is set aside with one alarm, and other messages are published with tokens', async () => {
    const [huge = '', small = ''] = newIds(2);
    expect(await owner.put(huge, { name: 'x'.repeat(1_200_000) })).toBeNull();
    expect(await owner.put(small)).not.toBeNull();
    const rejected = () =>
      harness.sql<{ rejection_reason: string }>(
        'select rejection_reason from catalog.outbox_message where rejection_reason is not null',
      );
    await eventually(async () => expect(await rejected()).toHaveLength(1));
    await allPublished(harness);
    expect(harness.alarms().filter((line) => line.includes('message_rejected'))).toHaveLength(1);
    await eventually(async () =>
      expect(await owner.metrics.text()).toMatch(/^outbox_rejected 1$/m),
    );
    expect(await owner.put(small)).not.toBeNull();
    await harness.sql('delete from catalog.thing where id = $1', [huge]);
    await harness.sql('delete from catalog.outbox_message where rejection_reason is not null');
  });
});

describe('the relay', () => {
  test('publishes the rows that a terminated process left', async () => {
    const reader = await harness.reader({ url: owner.url });
    await waitUntilIdle(harness);
    const [id = ''] = newIds(1);
    // As if killed between the commit and the publish.
    owner.db.onCommit(async () => {});
    await owner.put(id, { name: 'left' });
    if (owner.messaging.outbox) publishOnCommit(owner.db, owner.messaging.outbox);
    await waitUntilIdle(harness);
    await allPublished(harness);
    await reader.messaging.close();
  });

  test('deletes published rows after a day', async () => {
    const age = (interval: string) =>
      harness.sql(
        `insert into catalog.outbox_message (id, payload, created_at, stream_seq)
         values ($1, '[]', clock_timestamp() - $2::interval, 1) returning id`,
        [randomUUID(), interval],
      );
    const [old] = await age('25 hours');
    const [young] = await age('23 hours');
    const fresh = await harness.owner();
    await eventually(async () => {
      const rows = await harness.sql('select id from catalog.outbox_message where payload = $1', [
        '[]',
      ]);
      expect(rows).toEqual([young]);
    });
    expect(old).not.toEqual(young);
    await fresh.messaging.close();
  });
});

describe('a shutdown', () => {
  test('publishes the newest rows before it closes the connection', async () => {
    // The relay skips rows younger than a second, so a process that waits for it takes that long each time.
    await eventually(async () => {
      const leaving = await harness.owner();
      const [id = ''] = newIds(1);
      await eventually(() => expect(leaving.messaging.bus.stream).not.toBeNull());
      leaving.db.onCommit(async () => {});
      await leaving.put(id);
      const before = performance.now();
      await leaving.messaging.close();
      const closedAfterMs = performance.now() - before;
      const left = await harness.sql(
        'select id from catalog.outbox_message where stream_seq is null',
      );
      expect(left).toEqual([]);
      expect(closedAfterMs).toBeLessThan(950);
    });
  });
});
