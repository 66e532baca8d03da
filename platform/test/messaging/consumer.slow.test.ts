import { streamName, subjectFor } from '@event-api/contracts/messages/snapshot';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../src/core/log.ts';
import { connectBus, type StreamConnection } from '../../src/messaging/bus/connect.ts';
import { openConsumer } from '../../src/messaging/bus/consumer.ts';
import { unobserved } from '../../src/telemetry/dependencies.ts';
import { eventually } from '../../testing/eventually.ts';
import { type PrivateNats, startPrivateNats } from '../../testing/private-nats.ts';

let nats: PrivateNats;
let bus: ReturnType<typeof connectBus>;
let stream: StreamConnection;
beforeAll(async () => {
  nats = await startPrivateNats();
  const log = createLogger({ service: 'test', level: 'silent' });
  bus = connectBus({ url: nats.url, name: 'consumer-test', dependency: unobserved, log });
  stream = await eventually(async () => {
    if (!bus.stream) throw new Error('not connected yet');
    return bus.stream;
  });
});
afterAll(async () => {
  await bus?.close();
  await nats?.close();
});

async function publish(from: number, to: number): Promise<void> {
  for (let first = from; first <= to; first += 500) {
    const numbers = Array.from(
      { length: Math.min(500, to - first + 1) },
      (_, index) => first + index,
    );
    await Promise.all(
      numbers.map((number) => stream.js.publish(subjectFor('catalog'), String(number))),
    );
  }
}

test('reads a backlog larger than its buffer, in order and without a gap', async () => {
  await publish(1, 12_000);
  const reader = await openConsumer(stream, 1);
  // No message is taken until the buffer is full.
  await eventually(async () => {
    const [open] = await stream.manager.consumers.list(streamName).next();
    expect(open?.delivered.stream_seq ?? 5000).toBeGreaterThanOrEqual(5000);
  });
  let read = 0;
  while (read < 12_000) {
    const batch = await reader.next(500);
    for (const { seq } of batch) expect(seq).toBe(++read);
  }
  await publish(12_001, 12_001);
  const [next] = await eventually(async () => {
    const batch = await reader.next(1);
    expect(batch).toHaveLength(1);
    return batch;
  });
  expect(next?.seq).toBe(12_001);
  await reader.close();
});

test('fails within seconds when heartbeats are missing', async () => {
  const { state } = await stream.manager.streams.info(streamName);
  const reader = await openConsumer(stream, state.last_seq + 1);
  expect(await reader.next(1)).toEqual([]);
  await nats.stall();
  try {
    const waitedFrom = performance.now();
    await expect(async () => {
      while (performance.now() - waitedFrom < 30_000) await reader.next(1);
    }).rejects.toThrow('heartbeats');
  } finally {
    nats.resume();
  }
  await reader.close();
});

test('sends one pull request and then listens', async () => {
  const { host, username, password } = new URL(nats.url);
  const listener = await connect({ servers: host, user: username, pass: password });
  let requests: string[] = [];
  const callback = (_: unknown, { subject }: { subject: string }) => void requests.push(subject);
  listener.subscribe('$JS.API.CONSUMER.MSG.NEXT.>', { callback });
  await listener.flush();
  const { state } = await stream.manager.streams.info(streamName);
  // On a busy machine a consumer may miss heartbeats and fail; another one then takes its turn.
  await eventually(async () => {
    requests = [];
    const reader = await openConsumer(stream, state.last_seq + 1);
    try {
      const listenedFrom = performance.now();
      while (performance.now() - listenedFrom < 3000) expect(await reader.next(1)).toEqual([]);
    } finally {
      await reader.close();
    }
    // Each consumer has a subject of its own, also the one of the test before, if the server hears
    // from that only now.
    expect(requests).not.toEqual([]);
    expect(new Set(requests).size).toBe(requests.length);
  });
  await listener.close();
});
