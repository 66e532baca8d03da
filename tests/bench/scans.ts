import { createVenue } from '@event-api/contracts/operator/program';
import { systemClock } from '@event-api/platform/core/clock';
import { Pool } from 'undici';
import { createBadges, prepareDoors } from './checkin.ts';
import { openBenchDatabase } from './database.ts';
import type { BenchEnvironment } from './environment.ts';
import { compare, type Figures, line, medians, runAlternating } from './rounds.ts';
import { quantile } from './statistics.ts';
import { type BenchTarget, platformTarget } from './targets.ts';
import { describeVerdict, judge, type Verdict } from './verdicts.ts';

const badges = 500_000;
const batchScans = 500;

/** One client that sends one request after the other through the gateway. */
export interface ScansFigures {
  single: Figures;
  batch: Figures;
  summary: Figures;
  overSingle: Verdict;
}

/**
 * Measures batches of 500 scans that a device has decided offline, compared to single scans, and
 * reads of the summary.
 */
export async function benchScans(
  environment: BenchEnvironment,
  options: { rounds: number; roundMs: number },
): Promise<ScansFigures> {
  const { platform, onEnd, progress, operator } = environment;
  const { scope, headers } = await prepareDoors(environment);
  const db = await openBenchDatabase(platform.specs.onsite?.env.DATABASE_URL ?? '', 'onsite', 1);
  progress.say(`${badges} badges`);
  await createBadges(db, scope, badges);
  await db.close();
  const pool = new Pool(platform.apiUrls.gateway ?? '', { connections: 1 });
  onEnd(() => void pool.close());
  const path = `/v1/events/${scope.eventId}/checkins`;
  const send = async (method: 'GET' | 'POST', at: string, body?: object): Promise<string> => {
    const { statusCode, body: response } = await pool.request({
      method,
      path: `${path}${at}`,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (statusCode !== 200 && statusCode !== 201) throw new Error(`${at}: ${text}`);
    return text;
  };
  const newDoor = async (name: string) => {
    const venue = await operator.call(createVenue, { ...scope, name });
    return { subjectType: 'venue', subjectId: venue.id };
  };
  const [single, batch] = [await newDoor('Single scans'), await newDoor('Batches')];
  let [singles, scans] = [0, 0];
  const sendBatch = async () => {
    const now = systemClock.now().toISOString();
    const decided = { ...batch, scannedAt: now, decision: 'admitted' };
    const next = Array.from({ length: batchScans }, () => {
      scans += 1;
      return { scanId: `bench-${scans}`, checkinCode: `CHK-BENCH-${scans}`, ...decided };
    });
    const text = await send('POST', '/batch', { sentAt: now, scans: next });
    const recorded = text.split('"result":"recorded"').length - 1;
    if (recorded !== batchScans) throw new Error(`${recorded} of ${batchScans} were recorded`);
  };
  const { apiUrls, internalUrls } = platform;
  const onsite = platformTarget('onsite', apiUrls.onsite ?? '', internalUrls.onsite ?? '');
  const oneClient = (name: string, request: () => Promise<unknown>) =>
    oneAfterTheOther(onsite, name, request);
  await environment.settle();
  const [alone, batches, summaries] = await runAlternating(
    [
      oneClient('single', async () => {
        singles += 1;
        await send('POST', '', { checkinCode: `CHK-BENCH-${singles}`, ...single });
      }),
      oneClient('batch', sendBatch),
      oneClient('summary', () => send('GET', '/summary')),
    ],
    { progress, ...options },
  );
  if (!alone || !batches || !summaries) throw new Error('nothing was measured');
  return {
    single: medians(alone),
    batch: medians(batches),
    summary: medians(summaries),
    // The speeds are of single scans and of whole batches, so this is the duration of a batch in
    // single scans.
    overSingle: judge(
      { name: 'batch of 500 scans ÷ single scan', atMost: 20 },
      compare(alone, batches),
    ),
  };
}

/** The CPU time is that of onsite. */
const oneAfterTheOther = (
  onsite: Pick<BenchTarget, 'cpuSeconds'>,
  name: string,
  request: () => Promise<unknown>,
) => ({
  name,
  async run(roundMs: number): Promise<Figures> {
    const cpuBefore = await onsite.cpuSeconds();
    const startedAt = performance.now();
    const latencies: number[] = [];
    while (performance.now() - startedAt < roundMs) {
      const sentAt = performance.now();
      await request();
      latencies.push(performance.now() - sentAt);
    }
    const seconds = (performance.now() - startedAt) / 1000;
    const cpuSeconds = (await onsite.cpuSeconds()) - cpuBefore;
    return {
      perSecond: latencies.length / seconds,
      p50Ms: quantile(latencies, 0.5),
      p99Ms: quantile(latencies, 0.99),
      cpuMicrosPerRequest: (cpuSeconds * 1e6) / latencies.length,
    };
  },
});

/** Formats the figures as text. */
export const describeScans = ({ single, batch, summary, overSingle }: ScansFigures): string =>
  [
    line('single', single),
    line(`batch of ${batchScans}`, batch),
    line('summary', summary),
    describeVerdict(overSingle),
  ].join('\n');
