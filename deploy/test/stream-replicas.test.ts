import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@event-api/local-servers/ports';
import { respondsWith } from '@event-api/local-servers/probe';
import { findPrograms } from '@event-api/local-servers/programs';
import { killWithParent } from '@event-api/local-servers/tether';
import { addStream } from '@event-api/platform/messaging/bus/connect';
import { provisionStream } from '@event-api/platform/messaging/bus/provision-stream';
import { eventually } from '@event-api/platform/testing/eventually';
import { createPrivateServer } from '@event-api/platform/testing/private-server';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { natsAuthorization, STREAM_ADMIN } from '../servers/nats.ts';
import { root } from './image-tree.ts';

const SERVERS = 3;
const folder = mkdtempSync(join(tmpdir(), 'event-api-cluster-'));
const roles = [STREAM_ADMIN, 'catalog', 'onsite'];
const authorization = natsAuthorization(
  roles.map((role) => ({ user: role, role, password: `password-of-${role}` })),
);
const servers: ReturnType<typeof createPrivateServer>[] = [];
let ports: number[];

beforeAll(async () => {
  const programs = await findPrograms(['nats-server'], join(root, '.toolchain'), () => {});
  const newPorts = () => Promise.all(Array.from({ length: SERVERS }, () => freePort()));
  ports = await newPorts();
  const routePorts = await newPorts();
  const routes = routePorts.map((port) => `nats://127.0.0.1:${port}`);
  await Promise.all(
    ports.map(async (port, index) => {
      const store = join(folder, String(index));
      mkdirSync(store);
      const configFile = join(folder, `${index}.conf`);
      const config = [
        `server_name: server-${index}`,
        `listen: "127.0.0.1:${port}"`,
        `jetstream { store_dir: ${JSON.stringify(store)} }`,
        `cluster { name: test, listen: "127.0.0.1:${routePorts[index]}", routes: ${JSON.stringify(routes)} }`,
        authorization,
      ];
      writeFileSync(configFile, config.join('\n'), { mode: 0o600 });
      const server = createPrivateServer({
        name: `nats ${index}`,
        command: [...killWithParent('SIGTERM'), programs.path['nats-server'], '-c', configFile],
        env: programs.env,
        stopSignal: 'SIGTERM',
        stopTimeoutMs: 10_000,
        startTimeoutMs: 60_000,
        isReady: () => respondsWith(port, '', 'INFO'),
      });
      servers.push(server);
      await server.start();
    }),
  );
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  rmSync(folder, { recursive: true, force: true });
});

const urlOf = (role: string) => `nats://${role}:password-of-${role}@127.0.0.1:${ports[0]}`;

async function as<Result>(
  role: string,
  act: (nats: NatsConnection) => Promise<Result>,
): Promise<Result> {
  const nats = await connect({
    servers: `127.0.0.1:${ports[0]}`,
    user: role,
    pass: `password-of-${role}`,
  });
  try {
    return await act(nats);
  } finally {
    await nats.close();
  }
}

const replicasAsSeenBy = (role: string) =>
  as(role, async (nats) => {
    const manager = await jetstreamManager(nats, { timeout: 5000 });
    const { config, cluster } = await manager.streams.info('SNAPSHOTS');
    return { configured: config.num_replicas, others: cluster?.replicas?.length ?? 0 };
  });

test('provisioning raises the replicas of a stream that a publisher has created', async () => {
  // The cluster elects a leader of JetStream after its start.
  await eventually(() =>
    as('catalog', async (nats) => addStream(await jetstreamManager(nats, { timeout: 5000 }))),
  );
  expect(await replicasAsSeenBy('onsite')).toEqual({ configured: 1, others: 0 });
  // Until the leader knows all servers, there are no suitable peers. The provisioning Job retries,
  // too.
  await eventually(() => provisionStream({ url: urlOf(STREAM_ADMIN), replicas: SERVERS }));
  await provisionStream({ url: urlOf(STREAM_ADMIN), replicas: SERVERS });
  await eventually(async () =>
    expect(await replicasAsSeenBy('onsite')).toEqual({ configured: SERVERS, others: 2 }),
  );
});

test('provisioning raises the size of the stream, and keeps it without one', async () => {
  const sizeOf = () =>
    as('onsite', async (nats) => {
      const manager = await jetstreamManager(nats, { timeout: 5000 });
      return (await manager.streams.info('SNAPSHOTS')).config.max_bytes;
    });
  const twice = 2 * (await sizeOf());
  await provisionStream({ url: urlOf(STREAM_ADMIN), replicas: SERVERS, maxBytes: twice });
  expect(await sizeOf()).toBe(twice);
  await provisionStream({ url: urlOf(STREAM_ADMIN), replicas: SERVERS });
  expect(await sizeOf()).toBe(twice);
});

test('a process cannot change the stream', async () => {
  await expect(provisionStream({ url: urlOf('catalog'), replicas: 1 })).rejects.toThrow();
  expect((await replicasAsSeenBy('onsite')).configured).toBe(SERVERS);
});
