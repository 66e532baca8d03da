import { createVenue } from '@event-api/contracts/operator/program';
import { createBadges, prepareDoors } from './checkin.ts';
import { openBenchDatabase } from './database.ts';
import type { BenchEnvironment } from './environment.ts';
import { getRequest, type Job, postHead, startLoadProcess } from './load/run-load.ts';
import { type Figures, line, medians, runAlternating } from './rounds.ts';
import { createSeller, sale, startBuyers } from './sale.ts';
import { describeVerdict, judge, type Verdict } from './verdicts.ts';

const saleBuyers = 10_000;
const seats = 500;
/** Requests of the sale at the same time. */
const saleConnections = 500;
/** The load generator of the sale must not take the processor from the servers. */
const saleNiceness = 10;
/** The other business unit: a few clients, each of which sends one request after the other. */
const quietConnections = 4;
const badges = 100_000;
/** A delay that a person at a door does not notice. A shorter one is never a failure. */
const unnoticedMs = 50;

/** Latency of the requests of one business unit, alone and during the sale of another one. */
interface Latencies {
  name: string;
  alone: Figures;
  beside: Figures;
  verdict: Verdict;
}

export interface FairnessFigures {
  requests: Latencies[];
  verdicts: Verdict[];
}

/**
 * Measures reads and check-ins of one business unit while 10,000 buyers of another one want 500
 * seats.
 */
export async function benchFairness(
  environment: BenchEnvironment,
  options: { rounds: number; roundMs: number },
): Promise<FairnessFigures> {
  const { platform, progress, operator, onEnd } = environment;
  const { scope, headers } = await prepareDoors(environment);
  const db = await openBenchDatabase(platform.specs.onsite?.env.DATABASE_URL ?? '', 'onsite', 1);
  await createBadges(db, scope, badges).finally(() => db.close());
  const venue = await operator.call(createVenue, { ...scope, name: 'Door' });
  const url = platform.apiUrls.gateway ?? '';
  const eventPath = `/v1/events/${scope.eventId}`;
  const door = { subjectType: 'venue', subjectId: venue.id };
  const requests: Record<string, Pick<Job, 'head' | 'body' | 'expected' | 'repeatEvery'>> = {
    reads: { head: getRequest(eventPath, headers) },
    'check-ins': {
      head: postHead(`${eventPath}/checkins`, headers),
      body: JSON.stringify({ checkinCode: 'CHK-BENCH-#', ...door }),
      repeatEvery: 5,
      expected: [200, 201],
    },
  };
  const measured = startLoadProcess();
  onEnd(measured.stop);
  const storm = await startStorm(environment);
  await environment.settle();
  const names = Object.keys(requests);
  const contenders = names.flatMap((name) => {
    const alone = (durationMs: number) =>
      measured.run({
        url,
        connections: quietConnections,
        durationMs,
        ...(requests[name] as (typeof requests)[string]),
      });
    const beside = async (durationMs: number) => {
      const ended = storm();
      const result = await alone(durationMs);
      await ended;
      return result;
    };
    return [
      { name: `${name} alone`, run: alone },
      { name: `${name} beside`, run: beside },
    ];
  });
  const all = await runAlternating(contenders, { progress, ...options });
  const latencies = names.map((name, index): Latencies => {
    const [alone = [], beside = []] = [all[2 * index], all[2 * index + 1]];
    return {
      name,
      alone: medians(alone),
      beside: medians(beside),
      verdict: judge(
        {
          name: `${name} during a sale of another unit, p99 ÷ the larger of 3 × alone and ${unnoticedMs} ms`,
          atMost: 1,
        },
        {
          ratios: beside.map(
            ({ p99Ms = Number.NaN }, round) =>
              p99Ms / Math.max(3 * (alone[round]?.p99Ms ?? Number.NaN), unnoticedMs),
          ),
          baseline: alone.map(({ perSecond }) => perSecond),
        },
      ),
    };
  });
  return { requests: latencies, verdicts: latencies.map(({ verdict }) => verdict) };
}

/**
 * Returns a function that runs one sale of a business unit of its own: each buyer sends one
 * registration. It resolves when every buyer has a response. A buyer above the unit's share of the
 * gateway receives 429 or 503.
 */
async function startStorm(environment: BenchEnvironment): Promise<() => Promise<unknown>> {
  const url = environment.platform.apiUrls.gateway ?? '';
  const load = startLoadProcess(saleNiceness);
  environment.onEnd(load.stop);
  const { secret } = await createSeller(environment);
  const send = await startBuyers(environment, secret);
  return async () => {
    const hot = await sale(send, seats);
    return load.run({
      url,
      connections: saleConnections,
      durationMs: 120_000,
      limit: saleBuyers,
      head: postHead(`${hot.path}/registrations`, { authorization: `Bearer ${secret}` }),
      body: JSON.stringify({ email: 'buyer-#@example.com', registrationTypeId: hot.typeId }),
      expected: [201, 412, 429, 503],
    });
  };
}

export const describeFairness = ({ requests }: FairnessFigures): string =>
  [
    `${quietConnections} connections of one business unit, and ${saleBuyers} buyers of another one for ${seats} seats`,
    ...requests.flatMap(({ name, alone, beside, verdict }) => [
      line(`${name} alone`, alone),
      line(`${name} beside`, beside),
      describeVerdict(verdict),
    ]),
  ].join('\n');
