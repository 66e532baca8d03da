import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type HttpClient, httpClient } from '@event-api/platform/testing/http-client';
import { switchedProcess } from '@event-api/platform/testing/switches/switched-process';
import type { TestRegistration } from './harness.ts';

/** A replica in its own process, which can be killed. It has no bus and no catalog. */
export interface ReplicaProcess {
  as(businessUnitId: string): Promise<HttpClient>;
  kill(): void;
  /** Resolves with the signal that ended the process. */
  ended: Promise<NodeJS.Signals | null>;
}

const unusedAddress = '127.0.0.1:9';

/** `switches` are those of `switchedProcess`, for example `kill:admission.written`. */
export async function startReplicaProcess(
  { database, callers }: TestRegistration,
  switches = '',
): Promise<ReplicaProcess> {
  const main = join(import.meta.dirname, '../src/main.ts');
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      INTERNAL_PORT: '0',
      LOG_LEVEL: 'info',
      DATABASE_URL: database.url,
      NATS_URL: `nats://${unusedAddress}`,
      CATALOG_INTERNAL_URL: `http://${unusedAddress}`,
      CALLER_PRIVATE_KEY: JSON.stringify(callers.privateJwks.registration),
      CALLER_PUBLIC_KEYS: JSON.stringify(callers.publicJwks),
      ...switchedProcess(switches),
    },
  });
  const ended = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null);
  const apiUrl = await readApiUrl(child);
  const signer = await callers.signer('gateway');
  return {
    async as(businessUnitId) {
      const caller = { audience: 'api', businessUnitId, defaultCurrency: 'EUR' } as const;
      return httpClient(apiUrl, { 'x-caller': await signer.sign(caller) });
    },
    kill: () => void child.kill('SIGKILL'),
    ended,
  };
}

async function readApiUrl({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('the process has no output');
  for await (const line of createInterface(stdout)) {
    const { apiUrl } = JSON.parse(line);
    if (!apiUrl) continue;
    stdout.resume();
    return apiUrl;
  }
  throw new Error('the process has ended before it listened');
}
