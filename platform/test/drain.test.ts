import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { processSettings } from '../src/core/config.ts';
import { createLogger } from '../src/core/log.ts';
import { type Listeners, listen } from '../src/http/listen.ts';
import { createHttpServer } from '../src/http/server.ts';
import { eventually } from '../testing/eventually.ts';

const log = createLogger({ service: 'drain', level: 'silent' });
const agents: Agent[] = [];
afterEach(() => {
  for (const agent of agents.splice(0)) agent.destroy();
});

/** A process that responds immediately; `drainIdleMs` as in a deployment. */
async function started(drainIdleMs: number): Promise<Listeners> {
  const options = { log, checkResponses: true, trustRequestId: true };
  const [api, internal] = [createHttpServer(options), createHttpServer(options)];
  api.get('/', async () => ({ handled: true }));
  const where = { host: '127.0.0.1', port: 0, internalPort: 0 };
  return listen({ api, internal, log, ...where, ping: async () => {}, drainIdleMs });
}

/** A client that keeps one connection to `url`. */
function clientOf(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return {
    async ask(): Promise<IncomingMessage> {
      const [response] = await once(get(url, { agent }), 'response');
      response.resume();
      await once(response, 'end');
      return response;
    },
    isConnected: () => Object.keys(agent.freeSockets).length > 0,
  };
}

describe('a drain with an idle time-out', () => {
  test('serves one more request on an idle connection, with `Connection: close`', async () => {
    const serving = await started(2000);
    const client = clientOf(serving.apiUrl);
    expect((await client.ask()).headers.connection).toBe('keep-alive');
    const stopped = serving.stop();
    const last = await client.ask();
    expect([last.statusCode, last.headers.connection]).toEqual([200, 'close']);
    await stopped;
    await expect(client.ask()).rejects.toThrow();
  });

  test('ends when all connections are closed', async () => {
    const serving = await started(60_000);
    const client = clientOf(serving.apiUrl);
    await client.ask();
    const begun = performance.now();
    const stopped = serving.stop();
    await client.ask();
    await stopped;
    expect(performance.now() - begun).toBeLessThan(30_000);
  });

  test('closes idle connections after the time-out', async () => {
    const serving = await started(300);
    const client = clientOf(serving.apiUrl);
    await client.ask();
    const begun = performance.now();
    await serving.stop();
    expect(performance.now() - begun).toBeGreaterThan(250);
    await eventually(() => expect(client.isConnected()).toBe(false));
  });

  test('waits longer than other processes keep an idle connection', async () => {
    const serving = await started(0);
    const { headers } = await fetch(serving.apiUrl);
    const keepAliveMs = Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1]) * 1000;
    // The client library closes a connection two seconds before the server.
    expect(processSettings.DRAIN_IDLE_TIMEOUT_MS.parse(undefined)).toBeGreaterThan(
      keepAliveMs - 2000 + 1000,
    );
    await serving.stop();
  });
});
