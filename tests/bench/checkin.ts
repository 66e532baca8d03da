import { createKey } from '@event-api/contracts/operator/keys';
import { createVenue } from '@event-api/contracts/operator/program';
import { createUnit } from '@event-api/contracts/operator/units';
import { newId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { createCallerSigner } from '@event-api/platform/http/caller-tokens';
import { createOriginTrust } from '@event-api/platform/messaging/projections/origin-trust';
import { eventually } from '@event-api/platform/testing/eventually';
import { openBenchDatabase } from './database.ts';
import type { BenchEnvironment } from './environment.ts';
import { type JobResult, postHead, startLoadProcess } from './load/run-load.ts';
import { compare, type Figures, line, medians, runAlternating, underLoad } from './rounds.ts';
import { buyers, expectSold, order, runFor, sale, startBuyers } from './sale.ts';
import { watchServer } from './server-activity.ts';
import { median } from './statistics.ts';
import { platformTarget, startBaselineProxy } from './targets.ts';
import { describeVerdict, judge, type Verdict } from './verdicts.ts';

const connections = 64;
// The default size of onsite's connection pool.
const poolMax = 10;
const badges = 500_000;
/** One scan in five repeats the badge scanned before. */
const repeatEvery = 5;

/**
 * Throughput of scans: at onsite's own port compared to bare inserts, and through the gateway
 * compared to a plain proxy.
 */
export interface CheckinFigures {
  onsite: Figures;
  bareInserts: Figures;
  overBareInserts: Verdict;
  bareProxy: Figures;
  gateway: Figures;
  throughputRatio: number;
  /**
   * The same scans through the gateway, while 64 buyers place and confirm orders as fast as they
   * can.
   */
  inStorm: { scans: JobResult; ordersPerSecond: number };
}

/** The event that a bench scans badges of. */
export interface Scope {
  businessUnitId: string;
  eventId: string;
}

/**
 * Measures scans of confirmed attendees in one event, a fifth of them repeated. Each bench target
 * has its own door.
 */
export async function benchCheckin(
  environment: BenchEnvironment,
  options: { rounds: number; roundMs: number },
): Promise<CheckinFigures> {
  const { platform, progress, onEnd } = environment;
  const { scope, keyId, headers } = await prepareDoors(environment);
  const db = await openBenchDatabase(
    platform.specs.onsite?.env.DATABASE_URL ?? '',
    'onsite',
    poolMax,
  );
  try {
    progress.say(`${badges} badges`);
    await createBadges(db, scope, badges);
    const load = startLoadProcess();
    onEnd(load.stop);
    const url = platform.apiUrls.onsite ?? '';
    const caller = { businessUnitId: scope.businessUnitId, defaultCurrency: 'EUR', keyId };
    const { gateway: privateJwk } = platform.keys.private;
    const bareProxy = await startBaselineProxy({
      upstream: url,
      connections: 64,
      privateJwk,
      caller,
    });
    onEnd(bareProxy.stop);
    const signer = await createCallerSigner({ issuer: 'gateway', privateJwk });
    // Valid for a minute plus five minutes of clock tolerance, which is longer than any run of this
    // bench.
    const token = await signer.sign({ audience: 'api', ...caller });
    const path = `/v1/events/${scope.eventId}/checkins`;
    const scanAt = async (name: string, common: Record<string, string>) => {
      const venue = await environment.operator.call(createVenue, { ...scope, name });
      const door = { subjectType: 'venue', subjectId: venue.id };
      const body = JSON.stringify({ checkinCode: 'CHK-BENCH-#', ...door });
      return { head: postHead(path, common), body, repeatEvery, expected: [200, 201] };
    };
    const internalUrlOf = (name: 'onsite' | 'gateway') => platform.internalUrls[name] ?? '';
    const onsite = platformTarget('onsite', url, internalUrlOf('onsite'));
    const gatewayUrl = platform.apiUrls.gateway ?? '';
    const gateway = platformTarget('gateway', gatewayUrl, internalUrlOf('gateway'));
    const atGateway = await scanAt('Gateway', headers);
    await environment.settle();
    const [own, inserts, bare, whole] = await runAlternating(
      [
        underLoad(onsite, await scanAt('Onsite', { 'x-caller': token }), { load, connections }),
        {
          name: 'bare inserts',
          run: async (roundMs) => ({ perSecond: await insertFor(db, scope, roundMs) }),
        },
        underLoad(bareProxy, await scanAt('Bare proxy', {}), { load, connections }),
        underLoad(gateway, atGateway, { load, connections }),
      ],
      { progress, ...options, activity: await watchServer(db) },
    );
    if (!own || !inserts || !bare || !whole) throw new Error('nothing was measured');
    const job = { url: gatewayUrl, connections, durationMs: options.roundMs, ...atGateway };
    const inStorm = await scanInStorm(environment, () => load.run(job), options.roundMs);
    return {
      onsite: medians(own),
      bareInserts: medians(inserts),
      overBareInserts: judge(
        { name: 'check-in ÷ bare inserts', atLeast: 0.65 },
        compare(own, inserts),
      ),
      bareProxy: medians(bare),
      gateway: medians(whole),
      throughputRatio: median(compare(whole, bare).ratios),
      inStorm,
    };
  } finally {
    await db.close();
  }
}

/**
 * Measures scans while orders are sold. The order load starts before the scans and ends after them.
 */
async function scanInStorm(
  environment: BenchEnvironment,
  scan: () => Promise<JobResult>,
  durationMs: number,
): Promise<CheckinFigures['inStorm']> {
  const send = await startBuyers(environment);
  const hot = await sale(send, 1_000_000);
  await runFor(2000, () => order(send, hot));
  const soldBefore = hot.sold;
  const storm = runFor(durationMs, () => order(send, hot));
  const scans = await scan();
  await storm;
  await expectSold(send, hot);
  return { scans, ordersPerSecond: (hot.sold - soldBefore) / (durationMs / 1000) };
}

/** Creates an event in a business unit with a key. */
export async function prepareDoors({ platform, operator }: BenchEnvironment) {
  const unit = await operator.call(createUnit, { name: 'Bench' });
  const key = await operator.call(createKey, {
    businessUnitId: unit.id,
    name: 'Bench',
    rateLimitPerMinute: 10_000_000,
  });
  const headers = { authorization: `Bearer ${key.secret}` };
  const response = await fetch(`${platform.apiUrls.gateway}/v1/events`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Summit', timezone: 'Europe/Berlin' }),
  });
  if (response.status !== 201) throw new Error(`no event was created: ${await response.text()}`);
  const { id: eventId } = (await response.json()) as { id: string };
  return { scope: { businessUnitId: unit.id, eventId }, keyId: key.id, headers };
}

const insertBadges = statement(
  'bench_badges',
  `insert into onsite.registration_projection (id, business_unit_id, event_id, version, status, checkin_code, addon_ids,
     granted_perk_ids)
   select 'reg_bench_' || n, $1, $2, 1, 'confirmed', 'CHK-BENCH-' || n, '{}', '{}' from generate_series($3::int, $4::int) n`,
);

/**
 * Inserts the rows that messages would create, in batches: a statement has a time limit. Begins when
 * the projection of registrations is complete. Until then each scan asks registration, which does
 * not know these badges.
 */
export async function createBadges(
  db: Database,
  { businessUnitId, eventId }: Scope,
  badges: number,
): Promise<void> {
  const trust = createOriginTrust({ db, schema: 'onsite' });
  await eventually(async () => {
    const status = await trust.statusOf(['registration']);
    if (status !== 'confirmed') throw new Error(`the projection of registrations is ${status}`);
  });
  const part = 1_000;
  for (let n = 0; n < badges; n += part) {
    await db.query(insertBadges, [businessUnitId, eventId, n + 1, Math.min(n + part, badges)]);
  }
}

const insertOne = statement(
  'bench_checkin_insert',
  `insert into onsite.checkin (id, business_unit_id, event_id, registration_id, subject_type, subject_id, method)
   values ($1, $2, $3, $1, 'event', $3, 'scan')`,
);

/** Each insert is one row, one statement and one commit. */
async function insertFor(
  db: Database,
  { businessUnitId, eventId }: Scope,
  durationMs: number,
): Promise<number> {
  const endAt = performance.now() + durationMs;
  let rows = 0;
  const client = async () => {
    while (performance.now() < endAt) {
      await db.query(insertOne, [newId('chk'), businessUnitId, eventId]);
      rows += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  return rows / (durationMs / 1000);
}

/** Formats the figures as text. */
export const describeCheckin = (figures: CheckinFigures): string =>
  [
    `${connections} connections, one scan in ${repeatEvery} repeated`,
    line('onsite', figures.onsite),
    line('bare inserts', figures.bareInserts),
    describeVerdict(figures.overBareInserts),
    line('bare proxy', figures.bareProxy),
    line('gateway', figures.gateway),
    `gateway ÷ bare proxy: ${figures.throughputRatio.toFixed(2)} of its throughput`,
    `with ${buyers} buyers at ${figures.inStorm.ordersPerSecond.toFixed(0)} orders/s: ${figures.inStorm.scans.perSecond.toFixed(0)} scans/s, p50 ${figures.inStorm.scans.p50Ms.toFixed(1)} ms, p99 ${figures.inStorm.scans.p99Ms.toFixed(1)} ms (${(figures.inStorm.scans.p99Ms / (figures.gateway.p99Ms ?? Number.NaN)).toFixed(1)} times)`,
  ].join('\n');
