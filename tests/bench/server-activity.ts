import type { Database } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

/**
 * What the database server has done in the background, and what its log has grown by. Totals since
 * its start.
 */
export interface ServerActivity {
  walMib: number;
  /** Whole pages in the log: the first change of each page after a checkpoint writes all of it. */
  fullPages: number;
  checkpoints: number;
  /** Runs of autovacuum and autoanalyze. */
  autovacuums: number;
}

const readTotals = statement<ServerActivity>(
  'bench_server_activity',
  `select (select wal_bytes from pg_stat_wal)::float8 / 1048576 as "walMib",
    (select wal_fpi from pg_stat_wal)::float8 as "fullPages",
    (select num_timed + num_requested from pg_stat_checkpointer)::float8 as checkpoints,
    (select sum(autovacuum_count + autoanalyze_count) from pg_stat_all_tables)::float8 as autovacuums`,
);

/** Returns a function that formats what the server has done since its previous call. */
export async function watchServer(db: Database): Promise<() => Promise<string>> {
  const read = async () => (await db.query(readTotals))[0] as ServerActivity;
  let before = await read();
  return async () => {
    const now = await read();
    const text = [
      `log ${(now.walMib - before.walMib).toFixed(1)} MiB`,
      `full pages ${now.fullPages - before.fullPages}`,
      `checkpoints ${now.checkpoints - before.checkpoints}`,
      `autovacuums ${now.autovacuums - before.autovacuums}`,
    ].join(', ');
    before = now;
    return text;
  };
}
