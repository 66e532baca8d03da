import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operation } from '@event-api/contracts/operation';
import { topology } from '@event-api/contracts/topology';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { currentActor, runAsJob } from '../src/core/actor.ts';
import { createLogger } from '../src/core/log.ts';
import { requireCaller } from '../src/http/require-caller.ts';
import { createHttpServer } from '../src/http/server.ts';
import { createServiceClient } from '../src/http/service-client.ts';
import { createTestCallers } from '../testing/callers.ts';
import { httpClient } from '../testing/http-client.ts';

const ActorResponse = z.object({ type: z.string(), id: z.string().nullable() });
const actorOperation = (owner: 'catalog' | 'commerce', audience: 'api' | 'service') =>
  operation({
    method: 'POST',
    url: `/${audience}/actor`,
    config: {
      operationId: `${owner}.${audience}.actor`,
      tag: 'Test',
      summary: 'Test',
      owner,
      audience,
      permission: 'design',
    },
    schema: { body: z.object({}), response: { 200: ActorResponse } },
  });

const callers = await createTestCallers(['gateway', 'commerce', 'catalog']);
const log = createLogger({ service: 'test', level: 'silent' });
const open: { close(): Promise<unknown> }[] = [];
afterAll(() => Promise.all(open.map((server) => server.close())));

function createServer() {
  const server = createHttpServer({ log, checkResponses: true, trustRequestId: true });
  requireCaller(server, callers.verifier);
  open.push(server);
  return server;
}

/** Commerce, which responds to an integrator with the actor that catalog sees. */
async function startServers() {
  const catalog = createServer();
  catalog.route({ ...actorOperation('catalog', 'service'), handler: async () => currentActor() });
  const client = createServiceClient({
    url: await catalog.listen({ host: '127.0.0.1', port: 0 }),
    signer: await callers.signer('commerce'),
  });
  const commerce = createServer();
  commerce.route({
    ...actorOperation('commerce', 'api'),
    handler: async () => client.call(actorOperation('catalog', 'service'), {}),
  });
  return { client, url: await commerce.listen({ host: '127.0.0.1', port: 0 }) };
}

test('of two keys of a unit that alternate, the key of a request is the actor in the services that it calls', async () => {
  const { url } = await startServers();
  const gateway = await callers.signer('gateway');
  // The signers of both processes keep the token of the first key.
  for (const keyId of ['key_1', 'key_2', 'key_1', 'key_2']) {
    const token = await gateway.sign({ audience: 'api', businessUnitId: 'unit_1', keyId });
    const { body } = await httpClient(url, { 'x-caller': token })('POST', '/api/actor', {
      body: {},
    });
    expect(body).toEqual({ type: 'key', id: keyId });
  }
});

test('of two keys with concurrent requests, the key of a request is the actor in the services that it calls', async () => {
  const { url } = await startServers();
  const gateway = await callers.signer('gateway');
  const keyIds = Array.from({ length: 20 }, (_, n) => `key_${n % 2}`);
  const seen = keyIds.map(async (keyId) => {
    const token = await gateway.sign({ audience: 'api', businessUnitId: 'unit_1', keyId });
    const client = httpClient(url, { 'x-caller': token });
    return (await client('POST', '/api/actor', { body: {} })).body;
  });
  expect(await Promise.all(seen)).toEqual(keyIds.map((id) => ({ type: 'key', id })));
});

test('every token that a process signs names its actor', () => {
  const root = join(import.meta.dirname, '../..');
  const folders = topology.map(({ folder }) => `${folder}/src`);
  const calls = ['platform/src', 'tools/admin', ...folders].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .flatMap((file) => [
        ...readFileSync(join(root, folder, file), 'utf8').matchAll(/signer\.sign\((\{.*?\})\)/gs),
      ])
      .map(([, claims = '']) => claims),
  );
  expect(calls.length).toBeGreaterThanOrEqual(5);
  expect(calls.filter((claims) => !/\bactor\b/.test(claims))).toEqual([]);
});

test('a job is the actor in the services that it calls', async () => {
  const { client } = await startServers();
  const call = () => client.call(actorOperation('catalog', 'service'), {});
  expect(await runAsJob('retry orders', call)).toEqual({ type: 'system', id: 'retry orders' });
});
