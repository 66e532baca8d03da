import { setTimeout as wait } from 'node:timers/promises';
import { inviteMember } from '@event-api/contracts/operator/members';
import { type ConsoleClient, signIn } from '@event-api/tools/seed/console-client';
import { Pool } from 'undici';
import { createBadges, prepareDoors } from './checkin.ts';
import { openBenchDatabase } from './database.ts';
import type { BenchEnvironment } from './environment.ts';
import { compare, type Figures, line, medians, runAlternating } from './rounds.ts';
import { quantile } from './statistics.ts';
import { describeVerdict, judge, type Verdict } from './verdicts.ts';

const operators = 50;
/** A surge at the doors of one event: half of what one event admits on this machine. */
const scansPerSecond = 200;
const badges = 100_000;
/** How often an overview reads its figures again. */
const refetchMs = 10_000;

/** Scans alone, and beside operators who watch the event. */
export interface ConsolesFigures {
  alone: Figures;
  watched: Figures;
  overAlone: Verdict;
  /** Messages that each operator received per second, and how long the reads of an overview took. */
  messagesPerSecond: number;
  readP99Ms: number;
}

/** Measures scans at a fixed rate while 50 operators have the overview of their event open. */
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
  await createBadges(db, scope, badges);
  await db.close();
  const doors = createDoors(environment, `/v1/events/${scope.eventId}/checkins`, headers);
  const watchers = await signInWatchers(environment, scope);
  await environment.settle();
  const messages: number[] = [];
  const reads: number[] = [];
  const [alone, watched] = await runAlternating(
    [
      { name: 'doors alone', run: (roundMs) => doors(roundMs) },
      {
        name: 'with 50 consoles',
        async run(roundMs) {
          const stop = new AbortController();
          const watching = await openWatchers(watchers, stop.signal);
          const figures = await doors(roundMs);
          stop.abort();
          for (const seen of await Promise.all(watching)) {
            if (seen.messages === 0) throw new Error('a console received nothing');
            messages.push(seen.messages / seen.seconds);
            reads.push(...seen.reads);
          }
          return figures;
        },
      },
    ],
    { progress: environment.progress, ...options },
  );
  if (!alone || !watched) throw new Error('nothing was measured');
  return {
    alone: medians(alone),
    watched: medians(watched),
    overAlone: judge(
      { name: 'check-in p99 with 50 consoles ÷ without', atMost: 1.2 },
      compare(watched, alone, 'p99Ms'),
    ),
    messagesPerSecond: quantile(messages, 0.5),
    readP99Ms: quantile(reads, 0.99),
  };
}

/** Scans one badge after the other through the gateway at the fixed rate, whether or not earlier scans have ended. */
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

/** One operator with the overview of the event open. */
interface Watcher {
  client: ConsoleClient;
  stream: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
  /** What the overview reads, and reads again. */
  figures: string[];
}

/** Signs an owner in 50 times: every browser has a session of its own. */
async function signInWatchers(
  { platform, operator }: BenchEnvironment,
  { businessUnitId, eventId }: { businessUnitId: string; eventId: string },
): Promise<Watcher[]> {
  const { consoleUrl } = platform.console ?? { consoleUrl: '' };
  const { link } = await operator.call(inviteMember, { businessUnitId, role: 'owner' });
  const unitPath = `/api/units/${businessUnitId}`;
  const eventPath = `${unitPath}/v1/events/${eventId}`;
  const watchers: Watcher[] = [];
  for (let n = 0; n < operators; n++) {
    const client = await signIn(consoleUrl, 'olivia');
    if (n === 0) {
      await client.post('/api/invitations/accept', { token: new URL(link).hash.slice(1) });
    }
    watchers.push({
      client,
      stream: (signal) => client.stream(`${unitPath}/events/${eventId}/live`, signal),
      figures: [eventPath, `${eventPath}/ticket-types`, `${eventPath}/checkins/summary`],
    });
  }
  return watchers;
}

/**
 * Opens the overviews one after the other within the time in which each reads its figures again, so that at every moment of the
 * measurement some of them read.
 */
async function openWatchers(
  watchers: readonly Watcher[],
  signal: AbortSignal,
): Promise<ReturnType<typeof watch>[]> {
  const watching: ReturnType<typeof watch>[] = [];
  for (const watcher of watchers) {
    watching.push(watch(watcher, signal));
    await wait(refetchMs / operators);
  }
  return watching;
}

/** Reads the stream of the event and, every ten seconds, the figures, until `signal` is aborted. */
async function watch(
  { client, stream, figures }: Watcher,
  signal: AbortSignal,
): Promise<{ messages: number; seconds: number; reads: number[] }> {
  const openedAt = performance.now();
  const reads: number[] = [];
  const readFigures = async () => {
    while (!signal.aborted) {
      for (const path of figures) {
        const sentAt = performance.now();
        const { status } = await client.send(path);
        if (status !== 200) throw new Error(`${path} responded with ${status}`);
        reads.push(performance.now() - sentAt);
      }
      await wait(refetchMs, undefined, { signal }).catch(() => {});
    }
  };
  const [messages] = await Promise.all([countMessages(stream, signal), readFigures()]);
  return { messages, seconds: (performance.now() - openedAt) / 1000, reads };
}

async function countMessages(open: Watcher['stream'], signal: AbortSignal): Promise<number> {
  let messages = 0;
  try {
    for await (const part of await open(signal)) {
      messages +=
        Buffer.from(part)
          .toString()
          .match(/^event: /gm)?.length ?? 0;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return messages;
}

export const describeConsoles = (figures: ConsolesFigures): string =>
  [
    `${scansPerSecond} scans per second, beside ${operators} operators with live overviews`,
    line('doors alone', figures.alone),
    line('watched', figures.watched),
    describeVerdict(figures.overAlone),
    `${figures.messagesPerSecond.toFixed(1)} messages per second and operator; reads of an overview p99 ${figures.readP99Ms.toFixed(0)} ms`,
  ].join('\n');
