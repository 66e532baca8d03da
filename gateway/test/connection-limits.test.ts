import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGatewayDatabase, startGateway, startUpstream } from './harness.ts';
import { connectRaw, type RawConnection, request } from './raw.ts';
import { readMetric } from './read-metric.ts';

let database: Awaited<ReturnType<typeof createGatewayDatabase>>;
let upstream: Awaited<ReturnType<typeof startUpstream>>;
beforeAll(async () => {
  database = await createGatewayDatabase();
  upstream = await startUpstream();
});
afterAll(async () => {
  await upstream?.close();
  await database?.drop();
});

const limits = { maxPerPeer: 3, maxTotal: 5 };
const start = (trustProxy: string[]) =>
  startGateway({
    catalogUrl: upstream.url,
    databaseUrl: database.url,
    connectionLimits: limits,
    trustProxy,
  });

const refused = ({ internalUrl }: { internalUrl: string }, reason: string) =>
  readMetric(internalUrl, `gateway_connections_refused_total{reason="${reason}"}`);

async function openConnections(url: string, count: number): Promise<RawConnection[]> {
  const connections: RawConnection[] = [];
  for (let i = 0; i < count; i++) {
    const connection = connectRaw(url);
    connection.write(request('GET /docs HTTP/1.1', ['Host: gateway']));
    const [response] = await connection.responses(1);
    expect(response?.status).toBe(301);
    connections.push(connection);
  }
  return connections;
}

describe.each([
  ['an address', [], limits.maxPerPeer, 'peer_limit'],
  ['a trusted proxy', ['127.0.0.0/8'], limits.maxTotal, 'total_limit'],
])('%s', (_name, trustProxy, allowed, reason) => {
  test(`has ${allowed} connections at most, and can open another one when one is closed`, async () => {
    const gateway = await start(trustProxy);
    const connections = await openConnections(gateway.apiUrl, allowed);
    const excess = connectRaw(gateway.apiUrl);
    excess.write(request('GET /docs HTTP/1.1', ['Host: gateway']));
    await excess.closed;
    expect(excess.received()).toBe('');
    expect(await refused(gateway, reason)).toBe(1);
    connections.pop()?.socket.destroy();
    await eventually(async () => {
      connections.push(...(await openConnections(gateway.apiUrl, 1)));
    });
    for (const { socket } of connections) socket.destroy();
    await gateway.close();
  });
});
