import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { apiUrlSetting, serviceNames } from '@event-api/contracts/topology';
import { createTestCallers } from '@event-api/platform/testing/callers';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { redisUrl } from '@event-api/platform/testing/servers';
import { expect } from 'vitest';
import { createGatewayDatabase } from './harness.ts';
import { readMetric } from './read-metric.ts';

/** A gateway in a separate process, so that its memory can be measured. */
export async function startGatewayProcess(
  upstreamUrl: string,
  settings: Record<string, string> = {},
) {
  const database = await createGatewayDatabase();
  const callers = await createTestCallers();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      // As in the image, see deploy/Dockerfile.
      MALLOC_MMAP_THRESHOLD_: '131072',
      NODE_ENV: 'test',
      PORT: '0',
      INTERNAL_PORT: '0',
      DRAIN_IDLE_TIMEOUT_MS: '0',
      DATABASE_URL: database.url,
      REDIS_URL: await redisUrl(),
      ...Object.fromEntries(serviceNames.map((name) => [apiUrlSetting(name), upstreamUrl])),
      CALLER_PRIVATE_KEY: JSON.stringify(callers.privateJwks.gateway),
      CALLER_PUBLIC_KEYS: JSON.stringify(callers.publicJwks),
      ...settings,
    },
  });
  const ended = once(child, 'exit');
  const { apiUrl, internalUrl } = await readUrls(child);
  const token = await (await callers.signer('admin')).sign({ audience: 'operator' });
  const operator = httpClient(internalUrl, { 'x-caller': token });
  await eventually(async () => {
    expect((await operator('GET', '/readyz')).status).toBe(200);
  });

  const metric = (series: string) => readMetric(internalUrl, series);

  return {
    apiUrl,
    metric,
    memoryBytes: () => metric('process_memory_usage_bytes'),
    async createKey() {
      const unit = await operator('POST', '/operator/unit.create', { body: { name: 'Unit' } });
      const body = { businessUnitId: unit.body.id, name: 'Key', rateLimitPerMinute: 1_000_000 };
      return (await operator('POST', '/operator/key.create', { body })).body.secret as string;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await database.drop();
    },
  };
}

async function readUrls({ stdout }: ChildProcess) {
  if (!stdout) throw new Error('the process has no standard output');
  for await (const line of createInterface(stdout)) {
    const { apiUrl, internalUrl } = JSON.parse(line);
    if (!apiUrl) continue;
    stdout.resume();
    return { apiUrl: apiUrl as string, internalUrl: internalUrl as string };
  }
  throw new Error('the process ended before it listened');
}
