import { setTimeout as wait } from 'node:timers/promises';
import { inviteMember } from '@event-api/contracts/operator/members';
import { Pool } from 'undici';
import { createBadges, prepareDoors } from './checkin.ts';
import { openBenchDatabase } from './database.ts';
import type { BenchEnvironment } from './environment.ts';
import { type Child, startChild } from './load/child-process.ts';
import type { OverviewFigures, OverviewStep } from './load/overviews.ts';
import { compare, type Figures, line, medians, runAlternating, warmUpMs } from './rounds.ts';
import { quantile } from './statistics.ts';
import { describeVerdict, judgeMedian, type Verdict } from './verdicts.ts';

const operators = 50;
/** A surge at the doors of one event: half of what one event admits on this machine. */
const scansPerSecond = 200;
/** The badges of a large event. Longer rounds need more, because each badge is scanned once. */
const minBadges = 100_000;
/** A shorter round has too few slow scans for a 99th percentile. */
const minRoundMs = 20_000;
/**
 * The overviews open within this time. Before a round without them, the doors pause for the same
 * time.
 */
const openingMs = 5000;

/** Scans alone, and beside operators who watch the event. */
export interface ConsolesFigures {
  alone: Figures;
  watched: Figures;
  overAlone: Verdict;
  /**
   * Messages that each operator received per second, and how long the reads of an overview took.
   */
  messagesPerSecond: number;
  readP99Ms: number;
}

/**
 * Measures scans at a fixed rate while 50 operators have the overview of their event open. A
 * verdict needs at least six rounds.
 */
export async function benchConsoles(
  environment: BenchEnvironment,
  options: { rounds: number; roundMs: number },
): Promise<ConsolesFigures> {
  const { scope, headers } = await prepareDoors(environment);
  const db = await openBenchDatabase(
    environment.platform.specs.onsite?.env.DATABASE_URL ?? '',
    'onsite',
    1,
  );
  const roundMs = Math.max(options.roundMs, minRoundMs);
  const roundCount = 2 * (options.rounds + 1);
  const scans = Math.ceil((roundCount * (roundMs + warmUpMs) * scansPerSecond) / 1000);
  await createBadges(db, scope, Math.max(scans, minBadges));
  await db.close();
  const doors = createDoors(environment, `/v1/events/${scope.eventId}/checkins`, headers);
  const overviews = await startOverviews(environment, scope.businessUnitId);
  await environment.settle();
  const seen: OverviewFigures = { messagesPerSecond: [], readsMs: [] };
  const [alone, watched] = await runAlternating(
    [
      { name: 'doors alone', begin: () => wait(openingMs), run: doors },
      {
        name: 'with 50 consoles',
        async begin() {
          const step: OverviewStep = { step: 'open', ...scope, withinMs: openingMs };
          await overviews.request(step);
        },
        run: doors,
        async end() {
          const step: OverviewStep = { step: 'close' };
          const round = await overviews.request<OverviewFigures>(step);
          if (round.messagesPerSecond.includes(0)) throw new Error('a console received nothing');
          seen.messagesPerSecond.push(...round.messagesPerSecond);
          seen.readsMs.push(...round.readsMs);
        },
      },
    ],
    {
      progress: environment.progress,
      ...options,
      roundMs,
    },
  );
  if (!alone || !watched) throw new Error('nothing was measured');
  return {
    alone: medians(alone),
    watched: medians(watched),
    overAlone: judgeMedian(
      { name: 'check-in p99 with 50 consoles ÷ without', atMost: 1.2 },
      compare(watched, alone, 'p99Ms'),
    ),
    messagesPerSecond: quantile(seen.messagesPerSecond, 0.5),
    readP99Ms: quantile(seen.readsMs, 0.99),
  };
}

/**
 * Scans one badge after the other through the gateway at the fixed rate, whether or not earlier
 * scans have ended.
 */
function createDoors(
  { platform, onEnd }: BenchEnvironment,
  path: string,
  headers: Record<string, string>,
): (roundMs: number) => Promise<Figures> {
  const pool = new Pool(platform.apiUrls.gateway ?? '', { connections: 64 });
  onEnd(() => void pool.close());
  let badge = 0;
  const scan = async (): Promise<number> => {
    badge += 1;
    const body = JSON.stringify({ checkinCode: `CHK-BENCH-${badge}`, subjectType: 'event' });
    const sentAt = performance.now();
    const response = await pool.request({
      method: 'POST',
      path,
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    const text = await response.body.text();
    if (response.statusCode !== 201) throw new Error(`a scan responded with ${text}`);
    return performance.now() - sentAt;
  };
  return async (roundMs) => {
    const startedAt = performance.now();
    const scans: Promise<number>[] = [];
    const pauseMs = 1000 / scansPerSecond;
    for (let n = 0; n * pauseMs < roundMs; n++) {
      scans.push(scan());
      await wait(Math.max(0, startedAt + (n + 1) * pauseMs - performance.now()));
    }
    const latencies = await Promise.all(scans);
    return {
      perSecond: latencies.length / ((performance.now() - startedAt) / 1000),
      p50Ms: quantile(latencies, 0.5),
      p99Ms: quantile(latencies, 0.99),
    };
  };
}

/**
 * Signs the operators in. They run in a process of their own, which lets all others run first:
 * browsers are on other machines.
 */
async function startOverviews(
  { platform, operator, onEnd }: BenchEnvironment,
  businessUnitId: string,
): Promise<Child> {
  const overviews = startChild('load/overviews.ts', {}, 10);
  onEnd(overviews.stop);
  const { link } = await operator.call(inviteMember, { businessUnitId, role: 'owner' });
  await overviews.request({
    step: 'sign in',
    consoleUrl: platform.console?.consoleUrl ?? '',
    invitation: new URL(link).hash.slice(1),
    operators,
  } satisfies OverviewStep);
  return overviews;
}

export const describeConsoles = (figures: ConsolesFigures): string =>
  [
    `${scansPerSecond} scans per second, beside ${operators} operators with live overviews`,
    line('doors alone', figures.alone),
    line('watched', figures.watched),
    describeVerdict(figures.overAlone),
    `${figures.messagesPerSecond.toFixed(1)} messages per second and operator; reads of an overview p99 ${figures.readP99Ms.toFixed(0)} ms`,
  ].join('\n');
