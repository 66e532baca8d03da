import { randomUUID } from 'node:crypto';
import { addonSnapshot } from '@event-api/contracts/messages/catalog';
import { createLogger } from '@event-api/platform/core/log';
import type { Database } from '@event-api/platform/db/database';
import { nextVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';
import { type Bus, connectBus } from '@event-api/platform/messaging/bus/connect';
import {
  createOutbox,
  type Outbox,
  publishOnCommit,
} from '@event-api/platform/messaging/outbox/outbox';
import { createCheckpoint } from '@event-api/platform/messaging/projections/checkpoint';
import { defineSnapshotSource } from '@event-api/platform/messaging/projections/snapshot-source';
import { captureWrites } from '@event-api/platform/messaging/read-after/scope';
import { unobserved } from '@event-api/platform/telemetry/dependencies';
import { startPrivateNats } from '@event-api/platform/testing/private-nats';
import { defineEntity, p } from '@mikro-orm/core';
import { createQuietDatabase, openBenchDatabase } from './database.ts';
import type { BenchEnvironment } from './environment.ts';
import { rebuild } from './rebuild.ts';
import { median, quantile } from './statistics.ts';
import { describeVerdict, judge, type Verdict } from './verdicts.ts';

const rows = 64;

/**
 * The cost of publishing per write, the speed of a projection rebuild, and how often reads wait for
 * a projection.
 */
export interface BusFigures {
  /** By number of clients, first on a bus without consumers, then on the platform's bus. */
  writes: {
    clients: number;
    /** Whether services consume the messages meanwhile, on the same processors. */
    isFollowed: boolean;
    plainPerSecond: number;
    /** With a message in the same commit, acknowledged before the response. */
    publishedPerSecond: number;
    publishedP50Ms: number;
    publishedP99Ms: number;
    /** At 32 clients. At one client the acknowledgement is a wait of its own. */
    overPlain: Verdict | null;
    ratio: number;
  }[];
  rebuild: { messages: number; snapshots: number; messagesPerSecond: number };
  /**
   * Reads that require a write immediately after its acknowledgement, without an HTTP request in
   * between.
   */
  reads: { count: number; waited: number; waitP50Ms: number; waitP99Ms: number };
}

/** The columns of catalog's add-ons that their snapshots contain. */
const AddonRecord = defineEntity({
  name: 'AddonRecord',
  tableName: 'addon',
  properties: {
    id: p.text().primary(),
    eventId: p.text(),
    name: p.text(),
    description: p.text().nullable(),
    status: p.text(),
    capacity: p.integer().nullable(),
    opensAt: p.datetime(3).nullable(),
    closesAt: p.datetime(3).nullable(),
    priceAmount: p.integer(),
    taxRateId: p.text().nullable(),
    minPerOrder: p.integer().nullable(),
    maxPerOrder: p.integer().nullable(),
    sortOrder: p.integer(),
  },
});

const addons = defineSnapshotSource({
  type: addonSnapshot,
  entity: AddonRecord,
  computed: { perkIds: "'[]'::jsonb", taxRate: 'null::jsonb' },
});

const insertRows = statement(
  'bench_insert_addons',
  `insert into catalog.addon (id, business_unit_id, event_id, name, price_amount, sort_order)
   select id, 'bench', 'bench', 'Bench', 1, 1 from unnest($1::text[]) x(id)`,
);

const change = statement(
  'bench_change_addon',
  `update catalog.addon set price_amount = price_amount + 1, version = ${nextVersionSql} where id = $1`,
);

interface Bench {
  db: Database;
  bus: Bus;
  outbox: Outbox;
  isFollowed: boolean;
  ids: string[];
  close(): Promise<void>;
}

/**
 * Measures on the server of the running platform: without consumers in a database and with a NATS server of their own,
 * then in the database and on the bus of the platform.
 */
export async function benchBus(
  { platform, progress }: BenchEnvironment,
  options: { rounds: number; roundMs: number },
): Promise<BusFigures> {
  const url = (name: string) => platform.specs[name]?.env.DATABASE_URL ?? '';
  const natsUrl = platform.specs.catalog?.env.NATS_URL ?? '';
  const quietNats = await startPrivateNats();
  // The checks of the outbox would take a second stream for one that has lost its messages.
  const quietUrl = await createQuietDatabase(platform.databaseUrls.catalog, 'catalog');
  const quiet = await openBench({ databaseUrl: quietUrl, natsUrl: quietNats.url }, false);
  const followed = await openBench({ databaseUrl: url('catalog'), natsUrl }, true);
  const reader = await openBenchDatabase(url('registration'), 'registration', 4);
  const rebuilt = await openBenchDatabase(url('registration'), 'registration', 1);
  try {
    const writes = [];
    for (const bench of [quiet, followed]) {
      for (const clients of [1, 32]) {
        const figures = await compareWrites(bench, clients, options);
        progress.say(describeWrites(figures));
        writes.push(figures);
      }
    }
    const reads = await measureReads(followed, reader, options.roundMs);
    return { writes, reads, rebuild: await rebuild(rebuilt, followed.bus) };
  } finally {
    await quiet.close();
    await followed.close();
    await reader.close();
    await rebuilt.close();
    await quietNats.close();
  }
}

/** Opens an outbox of catalog, with rows to change. */
async function openBench(
  { databaseUrl, natsUrl }: { databaseUrl: string; natsUrl: string },
  isFollowed: boolean,
): Promise<Bench> {
  const log = createLogger({ service: 'bench', level: 'error' });
  const db = await openBenchDatabase(databaseUrl, 'catalog', 16);
  const ids = Array.from({ length: rows }, () => `bench_${randomUUID()}`);
  await db.query(insertRows, [ids]);
  const bus = connectBus({ url: natsUrl, name: 'bench', dependency: unobserved, log });
  const of = { origin: 'catalog', schema: 'catalog', spans: null } as const;
  const outbox = createOutbox({ db, bus, ...of, log });
  await outbox.started;
  return {
    db,
    bus,
    outbox,
    isFollowed,
    ids,
    async close() {
      await outbox.close(2000);
      await bus.close();
      await db.close();
    },
  };
}

async function compareWrites(
  bench: Bench,
  clients: number,
  { rounds, roundMs }: { rounds: number; roundMs: number },
): Promise<BusFigures['writes'][number]> {
  const plain: number[] = [];
  const published: number[] = [];
  let waits: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const without = await load(bench, clients, roundMs, false);
    const with_ = await load(bench, clients, roundMs, true);
    // The first round warms up compilers and caches.
    if (round === 0) continue;
    plain.push(without.length / (roundMs / 1000));
    published.push(with_.length / (roundMs / 1000));
    waits = [...waits, ...with_];
  }
  const ratios = published.map((perSecond, round) => perSecond / (plain[round] ?? Number.NaN));
  return {
    clients,
    isFollowed: bench.isFollowed,
    plainPerSecond: median(plain),
    publishedPerSecond: median(published),
    publishedP50Ms: quantile(waits, 0.5),
    publishedP99Ms: quantile(waits, 0.99),
    ratio: median(ratios),
    overPlain:
      clients === 1
        ? null
        : judge(
            {
              name: `published write ÷ plain, ${bench.isFollowed ? 'four' : 'no'} consumers`,
              atLeast: bench.isFollowed ? 0.3 : 0.45,
            },
            { ratios, baseline: plain },
          ),
  };
}

/**
 * Writes with `clients` clients, each sequentially. Returns the duration of each write in
 * milliseconds.
 */
async function load(
  bench: Bench,
  clients: number,
  durationMs: number,
  isPublished: boolean,
): Promise<number[]> {
  if (isPublished) publishOnCommit(bench.db, bench.outbox);
  else bench.db.onCommit(async () => {});
  const endAt = performance.now() + durationMs;
  const waits: number[] = [];
  const client = async (id: string) => {
    while (performance.now() < endAt) {
      const begun = performance.now();
      await write(bench, id, isPublished);
      waits.push(performance.now() - begun);
    }
  };
  await Promise.all(bench.ids.slice(0, clients).map(client));
  return waits;
}

const write = ({ db }: Bench, id: string, isPublished: boolean): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.query(change, [id]);
    if (isPublished) await addons.emit(tx, [id]);
  });

async function measureReads(
  bench: Bench,
  reader: Database,
  durationMs: number,
): Promise<BusFigures['reads']> {
  const position = createCheckpoint({
    db: reader,
    schema: 'registration',
    origins: ['catalog'],
  });
  publishOnCommit(bench.db, bench.outbox);
  const endAt = performance.now() + durationMs;
  const waits: number[] = [];
  const client = async (id: string) => {
    while (performance.now() < endAt) {
      const { produced } = await captureWrites(() => write(bench, id, true));
      if (!produced) throw new Error('a write was not acknowledged');
      const begun = performance.now();
      await position.waitFor(produced);
      waits.push(performance.now() - begun);
    }
  };
  await Promise.all(bench.ids.slice(0, 8).map(client));
  // A read that finds its write at the first poll takes less than 5 ms.
  const waited = waits.filter((ms) => ms > 5);
  return {
    count: waits.length,
    waited: waited.length,
    waitP50Ms: quantile(waits, 0.5),
    waitP99Ms: quantile(waits, 0.99),
  };
}

const describeWrites = (figures: BusFigures['writes'][number]): string =>
  [
    `${String(figures.clients).padStart(2)} clients, ${figures.isFollowed ? 'four services consuming' : 'no consumers'}:`,
    `${figures.plainPerSecond.toFixed(0)} writes/s plain,`,
    `${figures.publishedPerSecond.toFixed(0)} with message and acknowledgement`,
    `(p50 ${figures.publishedP50Ms.toFixed(1)} ms, p99 ${figures.publishedP99Ms.toFixed(1)} ms):`,
    `${figures.ratio.toFixed(2)} of the plain rate`,
  ].join(' ');

/** Formats the figures as text. */
export function describeBus({ writes, rebuild: rebuildFigures, reads }: BusFigures): string {
  const share = ((100 * reads.waited) / reads.count).toFixed(1);
  return [
    ...writes.map(describeWrites),
    ...writes.flatMap(({ overPlain }) => (overPlain ? [describeVerdict(overPlain)] : [])),
    `projection rebuild: ${rebuildFigures.messages} messages (${rebuildFigures.snapshots} snapshots), ${rebuildFigures.messagesPerSecond.toFixed(0)} messages/s`,
    `reads after the acknowledgement: ${share} % of ${reads.count} polled more than once; time until the projection was current p50 ${reads.waitP50Ms.toFixed(1)} ms, p99 ${reads.waitP99Ms.toFixed(1)} ms`,
  ].join('\n');
}
