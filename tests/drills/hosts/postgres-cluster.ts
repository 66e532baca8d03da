import { appendFileSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@event-api/local-servers/ports';
import { postgresServer } from '@event-api/local-servers/postgres';
import { FAST_SHUTDOWN } from '@event-api/local-servers/postgres-user';
import { waitUntil } from '@event-api/local-servers/probe';
import type { ChildSpec } from '@event-api/local-servers/supervise';
import { createPrivateDirectory } from '@event-api/provisioning/secret-files';
import type { ControlledProcesses } from '@event-api/test-support/process-control';
import pg from 'pg';
import { serverHost, type Zone, zones } from './layout.ts';
import type { Host, Network } from './network.ts';
import { makeStandby } from './postgres-copy.ts';
import { decidePromotion } from './promotion.rules.ts';

/** A commit waits for one of the two standbys, as in deploy/kubernetes/postgres/cluster. */
const CONFIRMATIONS = 1;
const STATEMENT_MS = 5000;
const WITHIN_MS = 30_000;

/** Those of CloudNativePG that matter here; the log is kept for standbys that are made again. */
const settings = {
  wal_sender_timeout: '5s',
  wal_receiver_timeout: '5s',
  wal_retrieve_retry_interval: '200ms',
  wal_keep_size: '1GB',
  max_connections: '300',
  shared_buffers: '64MB',
};

interface Member {
  name: string;
  zone: Zone;
  host: Host;
  url: string;
  data: string;
  spec: ChildSpec;
}

/** A primary with two standbys, each in a zone of its own. */
export interface PostgresCluster {
  port: number;
  /** The names of the servers among the processes. */
  programs: readonly string[];
  /** The host of the server that accepts writes. */
  primary(): Host;
  primaryZone(): Zone;
  /** Its superuser's address. */
  primaryUrl(): string;
  /** Stops the primary at once: it has noticed that it is cut off, or it has failed. */
  killPrimary(): Promise<void>;
  /** Stops the primary after it has sent its log to the standbys. */
  stopPrimary(): Promise<void>;
  /**
   * Replaces the primary by the standby that is furthest. Both standbys leave the old one first, so
   * that it confirms no commit any more. Errors: a standby does not respond.
   */
  promote(): Promise<void>;
  /** Stops a former primary that still runs. */
  stopReplaced(): Promise<void>;
  /** Makes standbys of those servers that are not part of the cluster. They lose what they had. */
  rejoin(): Promise<void>;
  /** Waits until both standbys follow the primary. Errors: not within thirty seconds. */
  settle(): Promise<void>;
}

/**
 * Starts the servers in `folder`. With `isSynchronous` a commit is acknowledged when a standby has
 * it. Errors: those of the servers.
 */
export async function startPostgresCluster(options: {
  folder: string;
  network: Network;
  processes: ControlledProcesses;
  isSynchronous: boolean;
}): Promise<PostgresCluster> {
  const { folder, network, processes, isSynchronous } = options;
  const port = await freePort();
  const nameOf = (zone: Zone) => `postgres-${zone}`;
  const all = zones.map(nameOf).join(', ');
  const flags = Object.entries({
    ...settings,
    synchronous_standby_names: isSynchronous ? `ANY ${CONFIRMATIONS} (${all})` : '',
  }).flatMap(([name, value]) => ['-c', `${name}=${value.replaceAll('-', '_')}`]);

  const memberIn = (zone: Zone): Member => {
    const name = nameOf(zone);
    const own = join(folder, name);
    const host = network.hostNamed(serverHost(zone));
    const { url, spec } = postgresServer({ folder: own, port, place: host });
    const command = [...spec.command, ...flags];
    return { name, zone, host, url, data: join(own, 'postgres'), spec: { ...spec, name, command } };
  };
  const conninfo = (primary: Member, standby: Member) => {
    const { username, password } = new URL(primary.url);
    const application = standby.name.replaceAll('-', '_');
    return `host=${primary.host.address} port=${port} user=${username} password=${password} application_name=${application} connect_timeout=3 tcp_user_timeout=5000 keepalives_idle=3 keepalives_interval=2 keepalives_count=2`;
  };

  const [firstZone = 'a', ...otherZones] = zones;
  createPrivateDirectory(join(folder, nameOf(firstZone)));
  const first = memberIn(firstZone);
  appendFileSync(
    join(first.data, 'pg_hba.conf'),
    ['all', 'replication']
      .map((database) => `host ${database} all ${network.subnet} scram-sha-256\n`)
      .join(''),
  );
  await processes.start(first.spec);
  const members: Member[] = [first];
  for (const zone of otherZones) {
    const own = join(folder, nameOf(zone));
    createPrivateDirectory(own);
    const password = 'postgres.password';
    copyFileSync(join(folder, first.name, password), join(own, password));
    const to = join(own, 'postgres');
    const standby = { name: nameOf(zone) } as Member;
    await makeStandby({
      url: first.url,
      from: first.data,
      to,
      primaryConninfo: conninfo(first, standby),
    });
    const member = memberIn(zone);
    await processes.start(member.spec);
    members.push(member);
  }

  let primary = first;
  /** Those that follow the primary. */
  let standbys = members.filter((member) => member !== first);

  const follow = (standby: Member, conninfoOrNone: string) =>
    query(standby.url, [
      `alter system set primary_conninfo = '${conninfoOrNone}'`,
      'select pg_reload_conf()',
    ]);

  /** A standby that has left the primary, and how far it is. */
  async function leave(standby: Member): Promise<bigint | null> {
    try {
      await follow(standby, '');
      const hasLeft = await waitUntil(async () => {
        const rows = await query(standby.url, ['select 1 from pg_stat_wal_receiver']);
        return rows.length === 0;
      }, STATEMENT_MS);
      if (!hasLeft) return null;
      const [row] = await query<{ bytes: string }>(standby.url, [
        "select (coalesce(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0') as bytes",
      ]);
      return row ? BigInt(row.bytes) : null;
    } catch {
      return null;
    }
  }

  async function settle(): Promise<void> {
    const isSettled = await waitUntil(async () => {
      const rows = await query(primary.url, [
        "select 1 from pg_stat_replication where state = 'streaming'",
      ]);
      return rows.length === members.length - 1;
    }, WITHIN_MS);
    if (!isSettled) throw new Error('the standbys do not follow the primary');
  }

  const replaced = () =>
    members.filter((member) => member !== primary && !standbys.includes(member));

  await settle();
  return {
    port,
    programs: members.map(({ name }) => name),
    primary: () => primary.host,
    primaryZone: () => primary.zone,
    primaryUrl: () => primary.url,
    killPrimary: () => processes.stop(primary.name, 'SIGQUIT'),
    stopPrimary: () => processes.stop(primary.name, FAST_SHUTDOWN),
    async promote() {
      const states = await Promise.all(
        standbys.map(async (standby) => ({ name: standby.name, receivedTo: await leave(standby) })),
      );
      const decision = decidePromotion(states, CONFIRMATIONS);
      if (decision.outcome === 'wait') throw new Error(`no promotion: ${decision.reason}`);
      const chosen = standbys.find(({ name }) => name === decision.name) as Member;
      await query(chosen.url, [`select pg_promote(true, ${WITHIN_MS / 1000})`], WITHIN_MS);
      primary = chosen;
      standbys = standbys.filter((standby) => standby !== chosen);
      for (const standby of standbys) await follow(standby, conninfo(chosen, standby));
    },
    async stopReplaced() {
      for (const { name } of replaced()) await processes.stop(name, 'SIGQUIT');
    },
    async rejoin() {
      for (const member of replaced()) {
        await processes.stop(member.name, 'SIGQUIT');
        await makeStandby({
          url: primary.url,
          from: primary.data,
          to: member.data,
          primaryConninfo: conninfo(primary, member),
        });
        await processes.restart(member.name);
        standbys.push(member);
      }
    },
    settle,
  };
}

/** Runs statements on a connection of their own. Returns the rows of the last one. */
async function query<Row = Record<string, unknown>>(
  url: string,
  statements: readonly string[],
  timeoutMs = STATEMENT_MS,
): Promise<Row[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 2000,
    query_timeout: timeoutMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    let rows: Row[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows as Row[];
    return rows;
  } finally {
    client.end().catch(() => {});
  }
}
