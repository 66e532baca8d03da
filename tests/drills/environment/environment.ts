import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey } from '@event-api/contracts/operator/keys';
import { createUnit } from '@event-api/contracts/operator/units';
import { type CallerIssuer, processNames } from '@event-api/contracts/topology';
import { freePort } from '@event-api/local-servers/ports';
import type { ChildSpec } from '@event-api/local-servers/supervise';
import type { CallerKeys } from '@event-api/provisioning/keys';
import {
  type ControlledProcesses,
  controlProcesses,
} from '@event-api/test-support/process-control';
import { createOperatorClient, type OperatorClient } from '@event-api/tools/admin/operator-client';
import { openReadAfterStore } from '@event-api/tools/admin/read-after-store';
import { startPlatform } from '@event-api/tools/platform/platform';
import { createProgress } from '@event-api/tools/terminal/progress';
import pg from 'pg';

/** Lifetime of a hold in a drill, so that some holds expire during the drill. */
export const HOLD_MS = 6000;

/** Settings that shorten intervals of up to an hour to less than a minute. */
const fastSettings: Record<string, NodeJS.ProcessEnv> = {
  registration: { SEAT_RESERVATION_MS: String(HOLD_MS) },
  commerce: { RETRY_INTERVAL_MS: '200', RETRY_MIN_IDLE_MS: '600', SESSION_EXPIRY_LEAD_MS: '1000' },
};

export const servers = ['postgres', 'nats', 'redis'] as const;
export const programs = ['payment-sandbox', ...processNames] as const;

/** An API key with its secret. */
export interface Key {
  id: string;
  secret: string;
}

/** A platform with its own servers, all of which faults may affect. */
export interface DrillEnvironment {
  processes: ControlledProcesses;
  operator: OperatorClient;
  /** Current signing keys of the processes and of the operator. */
  callers: CallerKeys<CallerIssuer>;
  /** Lets the operator sign with the current key of `callers`. */
  renewOperator(): Promise<void>;
  gatewayUrl: string;
  internalUrls: Record<string, string>;
  sandbox: { url: string; secret: string };
  /** Records of the provider: one line per change of a payment session and per refund. */
  providerLines(): string[];
  databaseUrl: string;
  /** Runs SQL directly in the database. Errors: PostgreSQL's, also while it is unavailable. */
  sql<Row = Record<string, unknown>>(text: string): Promise<Row[]>;
  /** Directory of the NATS streams. */
  natsStore: string;
  newUnit(currency: 'EUR' | 'JPY'): Promise<{ unitId: string; key: Key }>;
  newKey(unitId: string): Promise<Key>;
  /** Log lines of alarms and of unhandled errors. */
  alarms(): string[];
  close(): Promise<void>;
}

/**
 * Starts the servers and processes. Returns when all are ready. Errors: those of the servers; a
 * process that does not become ready.
 */
export async function startEnvironment(say: (line: string) => void): Promise<DrillEnvironment> {
  const dataDir = mkdtempSync(join(tmpdir(), 'event-api-drill-'));
  const processes = controlProcesses();
  const lines: string[] = [];
  const port = await freePort();
  const pools: pg.Pool[] = [];
  const close = async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await stopAll(processes);
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const platform = await startPlatform({
      settings: { DATA_DIR: dataDir, PORT: port, LOG_LEVEL: 'warn' },
      supervisor: {
        ...processes,
        start: (spec) => processes.start(withFastSettings(spec)),
      },
      progress: createProgress(say),
      onLine: (name, line) => void lines.push(`${name} ${line}`),
      signal: new AbortController().signal,
    });
    const { internalUrls, keys, redisUrl, databaseUrl, sandbox } = platform;
    const tokens = await openReadAfterStore(redisUrl);
    const asOperator = () =>
      createOperatorClient({ internalUrls, privateJwk: keys.private.admin, tokens });
    let current = await asOperator();
    const operator: OperatorClient = {
      call: (operation, input) => current.call(operation, input),
      callUnchecked: (operation, input) => current.callUnchecked(operation, input),
    };
    const pool = new pg.Pool({
      connectionString: databaseUrl,
      max: 3,
      connectionTimeoutMillis: 2000,
    });
    pool.on('error', () => {});
    pools.push(pool);
    return {
      processes,
      operator,
      callers: keys,
      async renewOperator() {
        current = await asOperator();
      },
      gatewayUrl: `http://127.0.0.1:${port}`,
      internalUrls,
      sandbox,
      providerLines: () =>
        readFileSync(join(dataDir, 'payment-sandbox.jsonl'), 'utf8').split('\n').filter(Boolean),
      databaseUrl,
      sql: async (text) => (await pool.query(text)).rows,
      natsStore: join(dataDir, 'nats'),
      async newUnit(currency) {
        const { id } = await operator.call(createUnit, {
          name: 'A drill',
          defaultCurrency: currency,
        });
        return { unitId: id, key: await newKey(operator, id) };
      },
      newKey: (unitId) => newKey(operator, unitId),
      alarms: () => lines.filter((line) => /"alarm"|"level":"(error|fatal)"/.test(line)),
      async close() {
        tokens.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const withFastSettings = (spec: ChildSpec): ChildSpec => ({
  ...spec,
  env: { ...spec.env, NODE_ENV: 'production', ...fastSettings[spec.name] },
});

const newKey = (operator: OperatorClient, businessUnitId: string) =>
  operator.call(createKey, { businessUnitId, name: 'drill', rateLimitPerMinute: 10_000_000 });

/** Stops all processes, including stalled ones. Servers stop after the processes that use them. */
async function stopAll(processes: ControlledProcesses): Promise<void> {
  const end = async (name: string, signal: NodeJS.Signals) => {
    try {
      processes.signal(name, 'SIGCONT');
    } catch {
      // It was never started.
      return;
    }
    await processes.stop(name, signal);
  };
  await Promise.all(programs.map((name) => end(name, 'SIGKILL')));
  await Promise.all([end('nats', 'SIGKILL'), end('redis', 'SIGKILL'), end('postgres', 'SIGQUIT')]);
}

/** Empties a directory, as a new volume is empty. */
export function wipe(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}
