import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@event-api/local-servers/ports';
import { respondsWith } from '@event-api/local-servers/probe';
import { findPrograms } from '@event-api/local-servers/programs';
import { createSupervisor } from '@event-api/local-servers/supervise';
import { killWithParent } from '@event-api/local-servers/tether';
import { createLogger } from '@event-api/platform/core/log';
import { connectBus } from '@event-api/platform/messaging/bus/connect';
import { unobserved } from '@event-api/platform/telemetry/dependencies';
import { eventually } from '@event-api/platform/testing/eventually';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { busUsers, natsConfig } from '../servers/nats.ts';
import { root } from './image-tree.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-api-nats-users-'));
const supervisor = createSupervisor(() => undefined);
const log = createLogger({ service: 'test', level: 'silent' });
const connections: NatsConnection[] = [];
let port: number;

beforeAll(async () => {
  port = await freePort();
  const programs = await findPrograms(['nats-server'], join(root, '.toolchain'), () => undefined);
  const logins = busUsers.map(({ name }) => ({
    user: name,
    role: name,
    password: `password-of-${name}`,
  }));
  const config = natsConfig({ logins, listen: `127.0.0.1:${port}`, storeDir: folder });
  // The health check listens on all addresses, which is acceptable in a container only.
  writeFileSync(join(folder, 'nats.conf'), config.replace('http: 8222\n', ''), { mode: 0o600 });
  await supervisor.start({
    name: 'nats',
    command: [
      ...killWithParent('SIGTERM'),
      programs.path['nats-server'],
      '-c',
      join(folder, 'nats.conf'),
    ],
    env: programs.env,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 10_000,
    startTimeoutMs: 60_000,
    isReady: () => respondsWith(port, 'PING\r\n', 'INFO'),
  });
});

afterAll(async () => {
  await Promise.all(connections.map((each) => each.close()));
  await supervisor.stopAll();
  rmSync(folder, { recursive: true, force: true });
});

async function as(name: string): Promise<NatsConnection> {
  const nats = await connect({
    servers: `127.0.0.1:${port}`,
    user: name,
    pass: `password-of-${name}`,
  });
  connections.push(nats);
  return nats;
}

describe('the NATS users', () => {
  test('publish on their own subject, read all subjects, and cannot delete or purge', async () => {
    // The first publisher creates the stream.
    const bus = connectBus({
      url: `nats://catalog:password-of-catalog@127.0.0.1:${port}`,
      name: 'catalog',
      dependency: unobserved,
      log,
    });
    await eventually(() => expect(bus.stream).not.toBeNull());
    await bus.stream?.js.publish('snapshot.catalog', 'one');
    await bus.close();

    const onsite = await as('onsite');
    const consumer = await jetstream(onsite).consumers.get('SNAPSHOTS', {
      filter_subjects: 'snapshot.catalog',
    });
    const message = await consumer.next({ expires: 5000 });
    expect(message?.string()).toBe('one');

    const manager = await jetstreamManager(onsite, { timeout: 1000 });
    await expect(manager.streams.delete('SNAPSHOTS')).rejects.toThrow();
    await expect(manager.streams.purge('SNAPSHOTS')).rejects.toThrow();
    expect((await manager.streams.info('SNAPSHOTS')).state.messages).toBe(1);
  });

  test.each([
    ['registration', 'snapshot.catalog'],
    ['onsite', 'snapshot.onsite'],
    ['commerce', 'snapshot.registration'],
  ])('reject %s as a publisher on %s', async (name, subject) => {
    const nats = await as(name);
    await expect(jetstream(nats, { timeout: 1000 }).publish(subject, 'forged')).rejects.toThrow();
  });

  test('reject a connection without a password', async () => {
    await expect(connect({ servers: `127.0.0.1:${port}`, reconnect: false })).rejects.toThrow();
  });
});
