import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { createKey } from '@event-api/contracts/operator/keys';
import { createUnit } from '@event-api/contracts/operator/units';
import { freePort } from '@event-api/deploy-local/ports';
import { createSupervisor } from '@event-api/deploy-local/supervise';
import { inject } from 'vitest';
import { createOperatorClient, type OperatorClient } from '../scripts/operator-client.ts';
import { startPlatform } from '../scripts/platform.ts';
import { createProgress } from '../scripts/progress.ts';
import { openReadAfterStore } from '../scripts/tokens.ts';
import { createDatabaseFixture } from './given-database.ts';

/** Every process of the platform, started as `npm start` starts them, with a database of its own. */
export interface PlatformFixture {
  baseUrl: string;
  /** Where a service serves the API to the gateway. */
  apiUrlOf(service: string): string;
  operator: OperatorClient;
  /** All lines that the processes have written, each after its process's name. */
  logLines(): string[];
  /** A new business unit with one key. */
  newUnit(options?: { rateLimitPerMinute?: number; defaultCurrency?: 'EUR' | 'JPY' }): Promise<{
    unitId: string;
    keyId: string;
    secret: string;
  }>;
}

let shared: Promise<PlatformFixture> | undefined;

/**
 * The platform of this worker, for those who leave it as it was: each has units of its own. The first who asks starts it,
 * and it ends with the worker; vitest.config.ts lets those who share it come last.
 */
export function sharedPlatform(): Promise<PlatformFixture> {
  shared ??= startWhole();
  return shared;
}

/** Starts the platform without any data in it. Its processes write down everything that they can. */
async function startWhole(): Promise<PlatformFixture> {
  const database = await createDatabaseFixture();
  // It goes with all that the run leaves.
  const dataDir = mkdtempSync(join(inject('runFolder'), 'platform-'));
  const lines: { name: string; line: string }[] = [];
  const supervisor = createSupervisor((line) => lines.push({ name: 'supervisor', line }));
  const port = await freePort();
  const { internalUrls, keys } = await startPlatform({
    isMigrated: true,
    settings: {
      DATA_DIR: dataDir,
      PORT: port,
      LOG_LEVEL: 'trace',
      DATABASE_URL: database.url,
      NATS_URL: inject('natsUrl'),
      REDIS_URL: inject('redisUrl'),
    },
    supervisor,
    progress: createProgress(() => {}),
    onLine: (name, line) => lines.push({ name, line }),
    signal: new AbortController().signal,
  });
  const tokens = await openReadAfterStore(inject('redisUrl'));
  const privateJwk = keys.private.admin;
  const operator = await createOperatorClient({ internalUrls, privateJwk, tokens });
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    operator,
    logLines: () => lines.map(({ name, line }) => `${name} ${line}`),
    apiUrlOf(service) {
      const listening = lines.find(({ name, line }) => name === service && /"apiUrl"/.test(line));
      return JSON.parse(listening?.line ?? '{}').apiUrl;
    },
    async newUnit({ rateLimitPerMinute, defaultCurrency } = {}) {
      const unit = await operator.call(createUnit, { name: 'A unit', defaultCurrency });
      const key = await operator.call(createKey, {
        businessUnitId: unit.id,
        name: 'A key',
        rateLimitPerMinute,
      });
      return { unitId: unit.id, keyId: key.id, secret: key.secret };
    },
  };
}
