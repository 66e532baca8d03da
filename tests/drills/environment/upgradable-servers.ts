import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessName } from '@event-api/contracts/topology';
import { natsServer } from '@event-api/local-servers/nats';
import { freePort } from '@event-api/local-servers/ports';
import { postgresServer } from '@event-api/local-servers/postgres';
import { FAST_SHUTDOWN, postgresUser } from '@event-api/local-servers/postgres-user';
import { respondsWith } from '@event-api/local-servers/probe';
import { postgresPrograms, releaseProgram } from '@event-api/local-servers/program-releases';
import { findPrograms, type NativePrograms } from '@event-api/local-servers/programs';
import { redisServer } from '@event-api/local-servers/redis';
import { runOnce } from '@event-api/local-servers/run-once';
import type { ChildSpec } from '@event-api/local-servers/supervise';
import { provisionStream } from '@event-api/platform/messaging/bus/provision-stream';
import type { DatabaseUrls } from '@event-api/provisioning/database-urls';
import { readOrCreatePassword } from '@event-api/provisioning/secret-files';
import type { ControlledProcesses } from '@event-api/test-support/process-control';
import { provisionDatabases } from '@event-api/tools/platform/prepare-database';
import { root } from '@event-api/tools/settings/settings';

/** How many servers of NATS there are: one as with Compose, or three as in a cluster. */
export type NatsServers = 1 | 3;

export const natsNames: Record<NatsServers, readonly string[]> = {
  1: ['nats'],
  3: ['nats-0', 'nats-1', 'nats-2'],
};

/** Servers of an older release, each of which can be upgraded once, at its address. */
export interface UpgradableServers {
  settings: { DATABASE_URL: string; NATS_URL: string; REDIS_URL: string };
  /** Stops PostgreSQL and upgrades its data in place, by hard links. It is not started. */
  upgradePostgresInPlace(): Promise<void>;
  /**
   * Moves the data to a new server by a dump, as the superuser of `databaseUrls`. No process may run
   * meanwhile.
   */
  upgradePostgresByDump(databaseUrls: DatabaseUrls<ProcessName>): Promise<void>;
  /** Starts the upgraded PostgreSQL unless it runs, and fills in the statistics of its planner. */
  startPostgres(): Promise<void>;
  /** Stops a server of NATS and starts the newer one with its streams. */
  upgradeNats(name: string): Promise<void>;
  /** Replaces Redis by an empty Valkey. */
  replaceRedis(): Promise<void>;
}

interface Place {
  dataDir: string;
  processes: ControlledProcesses;
  say: (line: string) => void;
}

/** Starts the older servers with their data in `dataDir`. Errors: ProgramsMissingError. */
export async function startUpgradableServers(
  place: Place,
  natsServers: NatsServers,
): Promise<UpgradableServers> {
  const postgres = await startPostgres(place);
  const nats = await startNats(place, natsServers);
  const redis = await startRedis(place);
  return {
    settings: { DATABASE_URL: postgres.url, NATS_URL: nats.url, REDIS_URL: redis.url },
    ...postgres.upgrades,
    upgradeNats: nats.upgrade,
    replaceRedis: redis.replace,
  };
}

async function startPostgres({ dataDir, processes, say }: Place) {
  const [older, newer] = [await postgresPrograms(17, say), await postgresPrograms(18, say)];
  const port = await freePort();
  const serverOf = (bin: string) => postgresServer({ folder: dataDir, port, bin });
  const { url, spec } = serverOf(older);
  await processes.start(spec);
  const { prefix } = postgresUser();
  const data = join(dataDir, 'postgres');
  const olderData = `${data}-17`;
  const dump = join(dataDir, 'postgres.dump');
  let upgraded: ChildSpec | undefined;
  let isStarted = false;

  const run = ([program = '', ...args]: string[]) =>
    runOnce(program, [...prefix, program, ...args], {
      cwd: dataDir,
      env: { ...process.env, PGPASSWORD: decodeURIComponent(new URL(url).password) },
      signal: AbortSignal.timeout(300_000),
    });

  /** Keeps the data of the older server, and creates that of the newer one. */
  function createNewer(): ChildSpec {
    renameSync(data, olderData);
    return serverOf(newer).spec;
  }

  async function start(): Promise<void> {
    if (isStarted) return;
    await processes.replace(spec.name, upgraded ?? spec);
    isStarted = upgraded !== undefined;
  }

  return {
    url,
    upgrades: {
      async upgradePostgresInPlace() {
        await processes.stop(spec.name, FAST_SHUTDOWN);
        // The newer release creates data with checksums, and both must be equal.
        await run([join(older, 'pg_checksums'), '--enable', '--pgdata', data]);
        const next = createNewer();
        await run([
          join(newer, 'pg_upgrade'),
          ...['--old-bindir', older, '--new-bindir', newer],
          ...['--old-datadir', olderData, '--new-datadir', data],
          ...['--username', 'postgres', '--link', '--socketdir', dataDir],
        ]);
        upgraded = next;
      },
      async upgradePostgresByDump(databaseUrls: DatabaseUrls<ProcessName>) {
        await run([join(older, 'pg_dump'), '--format=custom', '--file', dump, url]);
        await processes.stop(spec.name, FAST_SHUTDOWN);
        upgraded = createNewer();
        await start();
        // The roles are not part of the dump. What it has grants them what they may.
        await provisionDatabases(databaseUrls);
        const restore = ['--clean', '--if-exists', '--exit-on-error', '--jobs=2'];
        await run([join(newer, 'pg_restore'), ...restore, '--dbname', url, dump]);
      },
      async startPostgres() {
        await start();
        const stages = ['--all', '--analyze-in-stages', '--missing-stats-only', '--quiet'];
        await run([join(newer, 'vacuumdb'), ...stages, `--maintenance-db=${url}`]);
        const check = `select 1 / (current_setting('server_version_num')::int / 10000 = 18)::int`;
        await run([
          join(newer, 'psql'),
          '--quiet',
          '--output=/dev/null',
          `--command=${check}`,
          url,
        ]);
      },
    },
  };
}

async function startNats({ dataDir, processes, say }: Place, count: NatsServers) {
  const programsOf = async (
    release: 'nats-2.12' | 'nats-2.15',
  ): Promise<NativePrograms<'nats-server'>> => {
    const program = await releaseProgram(release, say);
    return { path: { 'nats-server': program }, env: process.env };
  };
  const [older, newer] = [await programsOf('nats-2.12'), await programsOf('nats-2.15')];
  const password = readOrCreatePassword(dataDir, 'nats.password');
  const places = await Promise.all(
    natsNames[count].map(async (name) => ({
      name,
      folder: count === 1 ? dataDir : join(dataDir, name),
      port: await freePort(),
      routePort: await freePort(),
      monitorPort: await freePort(),
    })),
  );
  const routes = places.map(({ routePort }) => `nats://127.0.0.1:${routePort}`);
  const serverOf = (
    programs: NativePrograms<'nats-server'>,
    { name, routePort, ...own }: (typeof places)[0],
  ) =>
    natsServer(programs, {
      ...own,
      password,
      ...(count > 1 && {
        member: { name, port: routePort, routes, monitorPort: own.monitorPort },
      }),
    });
  const servers = places.map((each) => serverOf(older, each));
  // One server of a cluster alone is not healthy.
  await Promise.all(servers.map(({ spec }) => processes.start(spec)));
  const [{ url } = { url: '' }] = servers;
  if (count > 1) await provisionStream({ url, replicas: count });
  return {
    url,
    async upgrade(name: string) {
      const place = places.find((each) => each.name === name);
      if (!place) throw new Error(`there is no server ${name}`);
      await processes.stop(name);
      await processes.replace(name, serverOf(newer, place).spec);
      await expectResponse(place.port, '', '"version":"2.15.');
    },
  };
}

async function startRedis({ dataDir, processes, say }: Place) {
  const older = await findPrograms(['redis-server'], join(root, '.toolchain'), say);
  const newer = await releaseProgram('valkey-9', say);
  const own = {
    folder: dataDir,
    port: await freePort(),
    password: readOrCreatePassword(dataDir, 'redis.password'),
  };
  const { url, spec } = redisServer(older, own);
  await processes.start(spec);
  return {
    url,
    async replace() {
      await processes.stop(spec.name);
      const path = { 'redis-server': newer };
      await processes.replace(spec.name, redisServer({ path, env: process.env }, own).spec);
      const ask = `AUTH ${own.password}\r\nINFO server\r\n`;
      await expectResponse(own.port, ask, 'valkey_version:9.');
    },
  };
}

/** Errors: the server at this port is another one. */
async function expectResponse(port: number, request: string, expected: string): Promise<void> {
  if (!(await respondsWith(port, request, expected)))
    throw new Error(`the server at ${port} does not respond with ${expected}`);
}
