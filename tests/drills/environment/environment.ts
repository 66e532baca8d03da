import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey } from '@event-api/contracts/operator/keys';
import { createUnit } from '@event-api/contracts/operator/units';
import {
  apiProcessNames,
  type CallerIssuer,
  type ProcessName,
  processNames,
} from '@event-api/contracts/topology';
import { openDatabases } from '@event-api/load-tests/databases.ts';
import { tablesIn } from '@event-api/load-tests/tables.rules.ts';
import { freePort } from '@event-api/local-servers/ports';
import type { ChildSpec } from '@event-api/local-servers/supervise';
import { type DatabaseUrls, databasesOf } from '@event-api/provisioning/database-urls';
import type { CallerKeys } from '@event-api/provisioning/keys';
import {
  type ControlledProcesses,
  controlProcesses,
} from '@event-api/test-support/process-control';
import {
  createReplicas,
  replicasOf,
  startServiceAddresses,
} from '@event-api/test-support/replicas';
import { createOperatorClient, type OperatorClient } from '@event-api/tools/admin/operator-client';
import { openReadAfterStore } from '@event-api/tools/admin/read-after-store';
import { startPlatform } from '@event-api/tools/platform/platform';
import { migrateProcess } from '@event-api/tools/platform/prepare-database';
import { currentSource, type ProcessSource } from '@event-api/tools/platform/process-source';
import { createProgress } from '@event-api/tools/terminal/progress';
import pg from 'pg';
import type { Query } from '../history/contradictions.ts';
import { type Hosts, startHosts } from '../hosts/hosts.ts';
import { type BackedUpServer, type Backups, createBackups } from './backups.ts';
import { hasServerPerProcess, postgresServersIn } from './layout.ts';
import {
  type NatsServers,
  natsNames,
  startUpgradableServers,
  type UpgradableServers,
} from './upgradable-servers.ts';

/** Lifetime of a hold in a drill, so that some holds expire during the drill. */
export const HOLD_MS = 6000;

/** Settings that shorten intervals of up to an hour to less than a minute. */
const fastSettings: Record<string, NodeJS.ProcessEnv> = {
  registration: { SEAT_RESERVATION_MS: String(HOLD_MS) },
  commerce: { RETRY_INTERVAL_MS: '200', RETRY_MIN_IDLE_MS: '600', SESSION_EXPIRY_LEAD_MS: '1000' },
};

/** The time between the removal of an endpoint and SIGTERM: proxies here learn of it at once. */
const ENDPOINT_REMOVAL_MS = 500;

export const programs = ['payment-sandbox', ...apiProcessNames] as const;

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
  /** The superuser's address of each process's database; all have the same by default. */
  databaseUrls: DatabaseUrls<ProcessName>;
  /**
   * Runs SQL where its tables are; a query may join those of several processes. Errors: PostgreSQL's,
   * also while it is unavailable; the statement names no table.
   */
  sql<Row = Record<string, unknown>>(text: string): Promise<Row[]>;
  /** Runs SQL in the database of a process. */
  sqlOf(name: ProcessName): Query;
  /** Every database once. */
  sqlOfEach: readonly Query[];
  /** Directory of the NATS streams. */
  natsStore: string;
  postgresServers: readonly BackedUpServer[];
  /** Errors: the drill was started without backups. */
  backups(): Backups;
  /** Where the servers and processes run. Null: all on this machine. */
  hosts: Hosts | null;
  newUnit(currency: 'EUR' | 'JPY'): Promise<{ unitId: string; key: Key }>;
  newKey(unitId: string): Promise<Key>;
  /**
   * Releases a process of the current sources under load: its migration, then one replica after the
   * other. Errors: the environment was not started from a previous release.
   */
  release(name: ProcessName): Promise<void>;
  /** The servers of an older release, if the drill was started with them. */
  older: UpgradableServers | undefined;
  /**
   * Starts a process with this program of Node: its replicas one after the other, or the only one
   * after a drain.
   */
  changeNode(name: ProcessName, node: string): Promise<void>;
  /** Log lines of alarms and of unhandled errors. */
  alarms(): string[];
  /** Log lines of one request, which name the cause of a 503 or 504. */
  logOf(requestId: string): string[];
  close(): Promise<void>;
}

/** What an environment has beyond servers and processes on this machine. */
export interface EnvironmentOptions {
  /** The release of the processes, of which there are two replicas each. */
  replicasFrom?: ProcessSource | undefined;
  /** The servers are those of an older release, as many of NATS. */
  olderNats?: NatsServers | undefined;
  /** Each process has a PostgreSQL server of its own. By default as `DATABASES` says. */
  serverPerProcess?: boolean | undefined;
  /** PostgreSQL archives its log, from which backups are restored. */
  withBackups?: { intervalSeconds?: number } | undefined;
  /**
   * Servers and processes run on hosts of their own, with two replicas of each process, and three
   * servers of PostgreSQL and NATS. Asynchronous standbys may lack acknowledged commits.
   */
  onHosts?: 'with synchronous standbys' | 'with asynchronous standbys' | undefined;
}

/**
 * Starts the servers and processes. Returns when all are ready. Errors: those of the servers; a
 * process that does not become ready; HostsUnavailableError.
 */
export async function startEnvironment(
  say: (line: string) => void,
  options: EnvironmentOptions = {},
): Promise<DrillEnvironment> {
  const { replicasFrom: previous, olderNats, withBackups, onHosts } = options;
  const isPerProcess = !onHosts && (options.serverPerProcess ?? hasServerPerProcess);
  const dataDir = mkdtempSync(join(tmpdir(), 'event-api-drill-'));
  const processes = controlProcesses();
  const lines: string[] = [];
  const port = await freePort();
  const pools: pg.Pool[] = [];
  const addresses = previous || onHosts ? await startServiceAddresses() : undefined;
  let hosts: Hosts | null = null;
  const servers = postgresServersIn(dataDir, isPerProcess);
  const backups =
    withBackups &&
    createBackups(
      servers.map(({ program }) => program),
      withBackups.intervalSeconds,
    );
  const withSettings = (spec: ChildSpec): ChildSpec => ({
    ...(backups?.archiving(spec) ?? spec),
    env: {
      ...spec.env,
      NODE_ENV: 'production',
      WEBHOOKS_ALLOW_LOOPBACK: '0',
      ...fastSettings[spec.name],
      ...(hosts ? hosts.settingsOf(spec) : addresses?.settings[spec.name]),
    },
  });
  const close = async () => {
    addresses?.close();
    await Promise.all(pools.map((pool) => pool.end()));
    await stopAll(processes, servers, hosts?.programs ?? []);
    hosts?.close();
    rmSync(dataDir, { recursive: true, force: true });
    backups?.remove();
  };
  let older: UpgradableServers | undefined;
  try {
    if (olderNats !== undefined)
      older = await startUpgradableServers({ dataDir, processes, say }, olderNats);
    if (onHosts && addresses) {
      say('starting hosts with PostgreSQL, NATS and Redis');
      hosts = await startHosts({
        folder: dataDir,
        processes,
        addresses,
        isSynchronous: onHosts === 'with synchronous standbys',
        say,
      });
    }
    const place = hosts;
    const platform = await startPlatform({
      settings: {
        DATA_DIR: dataDir,
        PORT: port,
        LOG_LEVEL: 'warn',
        DATABASES: isPerProcess ? 'each' : 'one',
        ...older?.settings,
        ...hosts?.settings,
      },
      ...(place && { placeOf: place.placeOf }),
      source: previous,
      supervisor: { ...processes, start: (spec) => processes.start(withSettings(spec)) },
      progress: createProgress(say),
      onLine: (name, line) => void lines.push(`${name} ${line}`),
      signal: new AbortController().signal,
    });
    const { keys, redisUrl, databaseUrls, sandbox, specs, specFrom } = platform;
    const replicas = previous && addresses && createReplicas(processes, addresses);
    for (const name of apiProcessNames) {
      const spec = withSettings(specs[name] as ChildSpec);
      await replicas?.double(name, spec, addresses?.settings[name]);
      await hosts?.double(name, spec);
    }
    const internalUrls = addresses
      ? Object.fromEntries(apiProcessNames.map((name) => [name, addresses.urlOf(name, 'internal')]))
      : platform.internalUrls;
    const tokens = await openReadAfterStore(redisUrl);
    const asOperator = () =>
      createOperatorClient({ internalUrls, privateJwk: keys.private.admin, tokens });
    let current = await asOperator();
    const operator: OperatorClient = {
      call: (operation, input) => current.call(operation, input),
      callUnchecked: (operation, input) => current.callUnchecked(operation, input),
    };
    const sqlAt = new Map(
      databasesOf(databaseUrls).map(({ url }): [string, Query] => {
        const pool = new pg.Pool({
          connectionString: url,
          max: 3,
          connectionTimeoutMillis: 2000,
        });
        pool.on('error', () => {});
        pools.push(pool);
        return [url, async (text) => (await pool.query(text)).rows];
      }),
    );
    const sqlOf = (name: ProcessName): Query => {
      const found = sqlAt.get(databaseUrls[name]);
      if (found === undefined) throw new Error(`${name} has no database`);
      return found;
    };
    const sql: Query = async <Row>(text: string): Promise<Row[]> => {
      if (sqlAt.size === 1) return sqlOf('catalog')<Row>(text);
      const [first, ...others] = new Set(
        tablesIn(text, processNames).map(({ process }) => sqlOf(process)),
      );
      if (first && others.length === 0) return first<Row>(text);
      const databases = await openDatabases(databaseUrls);
      return databases.query<Row>(text).finally(databases.close);
    };
    return {
      processes,
      operator,
      callers: keys,
      async renewOperator() {
        current = await asOperator();
      },
      gatewayUrl: addresses?.urlOf('gateway', 'api') ?? `http://127.0.0.1:${port}`,
      internalUrls,
      sandbox,
      providerLines: () =>
        readFileSync(join(dataDir, 'payment-sandbox.jsonl'), 'utf8').split('\n').filter(Boolean),
      databaseUrls,
      sql,
      sqlOf,
      sqlOfEach: [...sqlAt.values()],
      natsStore: join(dataDir, 'nats'),
      postgresServers: servers.map((server) => {
        const url = databaseUrls[server.process ?? 'catalog'];
        return { ...server, url, sql: sqlOf(server.process ?? 'catalog') };
      }),
      backups() {
        if (!backups) throw new Error('the drill was started without backups');
        return backups;
      },
      hosts,
      async newUnit(currency) {
        const { id } = await operator.call(createUnit, {
          name: 'A drill',
          defaultCurrency: currency,
        });
        return { unitId: id, key: await newKey(operator, id) };
      },
      newKey: (unitId) => newKey(operator, unitId),
      async release(name) {
        if (!replicas) throw new Error('the drill was not started from a previous release');
        await migrateProcess(databaseUrls, name, new AbortController().signal);
        const spec = withSettings(specFrom(currentSource, name));
        const start = (replica: string) => processes.replace(replica, spec);
        await replicas.roll(name, { pauseMs: ENDPOINT_REMOVAL_MS, start });
      },
      older,
      async changeNode(name, node) {
        const spec = withSettings(specFrom(currentSource, name));
        const command = spec.command.with(spec.command.lastIndexOf(process.execPath), node);
        const start = (replica: string) => processes.replace(replica, { ...spec, command });
        if (replicas) return replicas.roll(name, { pauseMs: ENDPOINT_REMOVAL_MS, start });
        await processes.stop(name);
        await start(name);
      },
      alarms: () => lines.filter((line) => /"alarm"|"level":"(error|fatal)"/.test(line)),
      logOf: (requestId) => lines.filter((line) => line.includes(requestId)),
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

const newKey = (operator: OperatorClient, businessUnitId: string) =>
  operator.call(createKey, { businessUnitId, name: 'drill', rateLimitPerMinute: 10_000_000 });

/** Stops all processes, including stalled ones. Servers stop after the processes that use them. */
async function stopAll(
  processes: ControlledProcesses,
  postgresServers: readonly { program: string }[],
  hostPrograms: readonly string[],
): Promise<void> {
  const end = async (name: string, signal: NodeJS.Signals) => {
    try {
      processes.resume(name);
    } catch {
      // It was never started.
      return;
    }
    await processes.stop(name, signal);
  };
  const replicas = apiProcessNames.flatMap(replicasOf);
  await Promise.all(['payment-sandbox', ...replicas].map((name) => end(name, 'SIGKILL')));
  await Promise.all([
    ...[...natsNames[1], ...natsNames[3]].map((name) => end(name, 'SIGKILL')),
    end('redis', 'SIGKILL'),
    ...postgresServers.map(({ program }) => end(program, 'SIGQUIT')),
    ...hostPrograms.map((program) => end(program, 'SIGKILL')),
  ]);
}

/** Empties a directory, as a new volume is empty. */
export function wipe(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}
