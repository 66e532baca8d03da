import { statement } from '@event-api/platform/db/statement';
import { prepareDoors } from './checkin.ts';
import { openBenchDatabase } from './database.ts';
import type { BenchEnvironment } from './environment.ts';
import { median } from './statistics.ts';

const badges = 100_000;
const pageRows = 5000;
const changedBadges = 100;
const deltaReads = 50;

/**
 * A device that loads the roster of an event, and then reads what has changed, both through the
 * gateway.
 */
export interface RosterFigures {
  badges: number;
  whole: { seconds: number; compressedBytes: number; pages: number };
  delta: { badges: number; p50Ms: number; worstMs: number; compressedBytes: number };
}

// Ids and codes as long and as random as real ones.
const insertBadges = statement(
  'bench_roster_badges',
  `insert into onsite.registration_projection (id, business_unit_id, event_id, version, status, checkin_code, ticket_type_id, addon_ids,
     granted_perk_ids)
   select 'reg_01k8' || left(md5(n::text), 22), $1, $2, 1, 'confirmed', 'CHK-' || upper(left(md5('code' || n), 16)),
     'tt_01k8' || left(md5((n % 5)::text), 22), '{}', '{}' from generate_series($3::int, $4::int) n`,
);

const changeBadges = statement(
  'bench_change_badges',
  `update onsite.registration_projection set version = version + 1, status = case status when 'confirmed' then 'cancelled' else 'confirmed' end
   where id in (select 'reg_01k8' || left(md5(n::text), 22) from generate_series(1, $1::int) n)`,
);

interface Page {
  badges: readonly unknown[];
  nextCursor: string;
  hasMore: boolean;
}

export async function benchRoster(
  environment: BenchEnvironment,
  { rounds }: { rounds: number },
): Promise<RosterFigures> {
  const { platform, progress } = environment;
  const { scope, headers } = await prepareDoors(environment);
  const url = `${platform.apiUrls.gateway}/v1/events/${scope.eventId}/checkins/roster?limit=${pageRows}`;
  const read = async (cursor: string | null): Promise<{ page: Page; bytes: number }> => {
    const response = await fetch(cursor ? `${url}&cursor=${cursor}` : url, {
      headers: { ...headers, 'accept-encoding': 'gzip' },
    });
    if (response.status !== 200) throw new Error(`no roster: ${await response.text()}`);
    const bytes = Number(response.headers.get('content-length'));
    return { page: (await response.json()) as Page, bytes };
  };
  const readWhole = async () => {
    let cursor: string | null = null;
    const total = { count: 0, bytes: 0, pages: 0 };
    for (;;) {
      const { page, bytes } = await read(cursor);
      total.count += page.badges.length;
      total.bytes += bytes;
      total.pages += 1;
      cursor = page.nextCursor;
      if (!page.hasMore) return { ...total, cursor };
    }
  };
  const db = await openBenchDatabase(platform.specs.onsite?.env.DATABASE_URL ?? '', 'onsite', 2);
  try {
    progress.say(`${badges} badges`);
    // In parts: a statement has a time limit.
    for (let n = 0; n < badges; n += 10_000) {
      await db.query(insertBadges, [scope.businessUnitId, scope.eventId, n + 1, n + 10_000]);
    }
    await environment.settle();
    // The first load warms up caches and query plans.
    let { cursor, ...loaded } = await readWhole();
    if (loaded.count !== badges) throw new Error(`${loaded.count} badges were loaded`);
    const seconds: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const begun = performance.now();
      ({ cursor, ...loaded } = await readWhole());
      seconds.push((performance.now() - begun) / 1000);
    }
    // The badges were inserted after the checkpoint. A message advances it.
    const advanced = await fetch(`${platform.apiUrls.gateway}/v1/events/${scope.eventId}`, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Winter Summit' }),
    });
    if (advanced.status !== 200) throw new Error(`no message: ${await advanced.text()}`);
    ({ cursor } = await readWhole());
    const times: number[] = [];
    let compressedBytes = 0;
    for (let n = 0; n < deltaReads; n++) {
      await db.query(changeBadges, [changedBadges]);
      const begun = performance.now();
      const { page, bytes } = await read(cursor);
      times.push(performance.now() - begun);
      if (page.badges.length !== changedBadges) {
        throw new Error(`${page.badges.length} changed badges were read`);
      }
      cursor = page.nextCursor;
      compressedBytes = bytes;
    }
    return {
      badges,
      whole: { seconds: median(seconds), compressedBytes: loaded.bytes, pages: loaded.pages },
      delta: {
        ...{ badges: changedBadges, p50Ms: median(times), worstMs: Math.max(...times) },
        compressedBytes,
      },
    };
  } finally {
    await db.close();
  }
}

/** Formats the figures as text. */
export const describeRoster = ({ badges, whole, delta }: RosterFigures): string =>
  [
    `${badges} badges whole: ${whole.seconds.toFixed(2)} s (aim < 5 s), ${(whole.compressedBytes / 1e6).toFixed(1)} MB compressed (aim < 10 MB), ${whole.pages} pages`,
    `${delta.badges} changed badges: p50 ${delta.p50Ms.toFixed(1)} ms (aim < 20 ms), worst ${delta.worstMs.toFixed(1)} ms, ${(delta.compressedBytes / 1e3).toFixed(1)} kB compressed`,
  ].join('\n');
