import { createKey } from '@event-api/contracts/operator/keys';
import { createUnit } from '@event-api/contracts/operator/units';
import type { Database } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { createCallerSigner } from '@event-api/platform/http/caller-tokens';
import type { PlainSettings } from './baseline-seats.ts';
import { type Costs, costsOf, describeCosts } from './costs.ts';
import { openBenchDatabase } from './database.ts';
import type { BenchEnvironment } from './environment.ts';
import { type Child, startChild } from './load/child-process.ts';
import { type LoadProcess, postHead, startLoadProcess } from './load/run-load.ts';
import {
  type Contender,
  compare,
  type Figures,
  line,
  medians,
  runAlternating,
  underLoad,
} from './rounds.ts';
import { median } from './statistics.ts';
import { type BenchTarget, platformTarget } from './targets.ts';
import { describeVerdict, judge, type Verdict } from './verdicts.ts';

// The default size of registration's connection pool.
const poolMax = 10;
const aims = [
  { connections: 64, atLeast: 0.45 },
  { connections: 256, atLeast: 0.6 },
];
const buyers = 10_000;
const seats = 1_000;

/**
 * Throughput of admission, compared to the same registration in several statements and to bare
 * inserts.
 */
export interface AdmissionFigures {
  rates: {
    connections: number;
    admission: Figures;
    plain: Figures;
    bareInserts: Figures;
    overPlain: number;
    overBareInserts: Verdict;
    /** What a registration costs all processes. */
    costs: Costs;
  }[];
  rush: {
    buyers: number;
    seats: number;
    sold: number;
    /** Responses with 503: neither sold nor rejected. */
    undecided: number;
    perSecond: number;
    p99Ms: number;
    /** Response times of concurrent registrations in another event. */
    otherP50Ms: number;
    otherP99Ms: number;
  };
}

interface Event {
  businessUnitId: string;
  eventId: string;
  typeId: string;
}

/**
 * Measures registrations for one ticket type at the service's own port, then a rush through the
 * gateway.
 */
export async function benchAdmission(
  environment: BenchEnvironment,
  options: { rounds: number; roundMs: number },
): Promise<AdmissionFigures> {
  const { platform, onEnd } = environment;
  const databaseUrl = platform.specs.registration?.env.DATABASE_URL ?? '';
  const { unitId, headers, createEvent } = await prepare(environment);
  const settings: PlainSettings = { databaseUrl, poolMax, publicJwks: platform.keys.public };
  const child = startChild('baseline-seats.ts', { PLAIN_SEATS: JSON.stringify(settings) });
  onEnd(child.stop);
  const plain = baselineTarget(await child.next<string>(), child);
  const own = platformTarget(
    'admission',
    platform.apiUrls.registration ?? '',
    platform.internalUrls.registration ?? '',
  );
  const load = startLoadProcess();
  onEnd(load.stop);
  const signer = await createCallerSigner({
    issuer: 'gateway',
    privateJwk: platform.keys.private.gateway,
  });
  const events = { own: await createEvent(1_000_000), plain: await createEvent(1_000_000) };
  const requestTo = async (event: Event) => {
    const caller = { audience: 'api', businessUnitId: unitId, defaultCurrency: 'EUR' } as const;
    const token = await signer.sign(caller);
    return { ...requestFor(event, { 'x-caller': token }), expected: [201] };
  };
  await createLedger(own.url, await requestTo(events.plain), load);
  const rates = [];
  await environment.settle();
  for (const { connections, atLeast } of aims) {
    environment.progress.say(`${connections} connections`);
    const atOwn = await requestTo(events.own);
    const [admission, several, inserts] = await runAlternating(
      [
        underLoad(own, atOwn, { load, connections }),
        // The transactions of the plain variant wait for the ledger's row with a connection each,
        // so some requests time out waiting for a connection.
        underLoad(
          plain,
          { ...(await requestTo(events.plain)), expected: [201, 503] },
          { load, connections },
        ),
        bareInserts(child, connections, events.plain),
      ],
      { progress: environment.progress, ...options },
    );
    if (!admission || !several || !inserts) throw new Error('nothing was measured');
    environment.progress.say(`${connections} connections: counting commits and CPU time`);
    const costs = await costsOf(
      environment,
      async (durationMs) =>
        (await load.run({ url: own.url, connections, durationMs, ...atOwn })).requests,
      options.roundMs,
    );
    rates.push({
      connections,
      admission: medians(admission),
      plain: medians(several),
      bareInserts: medians(inserts),
      overPlain: median(compare(admission, several).ratios),
      overBareInserts: judge(
        { name: `admission ÷ bare inserts, ${connections} clients`, atLeast },
        compare(admission, inserts),
      ),
      costs,
    });
  }
  const db = await openBenchDatabase(databaseUrl, 'registration', 2);
  try {
    return { rates, rush: await rush(environment, { db, load, headers, createEvent }) };
  } finally {
    await db.close();
  }
}

async function prepare({ platform, operator }: BenchEnvironment) {
  const unit = await operator.call(createUnit, { name: 'Bench' });
  const key = await operator.call(createKey, {
    businessUnitId: unit.id,
    name: 'Bench',
    rateLimitPerMinute: 10_000_000,
  });
  const headers = { authorization: `Bearer ${key.secret}` };
  const send = async (method: string, path: string, body: object): Promise<{ id: string }> => {
    const response = await fetch(`${platform.apiUrls.gateway}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return (await response.json()) as { id: string };
  };
  async function createEvent(capacity: number): Promise<Event> {
    const event = await send('POST', '/v1/events', { name: 'Summit', timezone: 'Europe/Berlin' });
    const path = `/v1/events/${event.id}/ticket-types`;
    const type = await send('POST', path, { name: 'Day pass', capacity });
    await send('PATCH', `${path}/${type.id}`, { status: 'open' });
    return { businessUnitId: unit.id, eventId: event.id, typeId: type.id };
  }
  return { unitId: unit.id, headers, createEvent };
}

const requestFor = ({ eventId, typeId }: Event, headers: Record<string, string>) => ({
  head: postHead(`/v1/events/${eventId}/registrations`, headers),
  body: JSON.stringify({ email: 'guest#@example.com', registrationTypeId: typeId }),
});

/**
 * Creates the ledger's row with one registration through the service: the plain variant updates it
 * and never inserts it.
 */
async function createLedger(
  url: string,
  request: ReturnType<typeof requestFor> & { expected: number[] },
  load: LoadProcess,
): Promise<void> {
  await load.run({ url, connections: 1, durationMs: 1000, limit: 1, ...request });
}

const baselineTarget = (url: string, child: Child): BenchTarget => ({
  name: 'plain',
  url,
  async cpuSeconds() {
    const { user, system } = await child.request<NodeJS.CpuUsage>({ query: 'cpu' });
    return (user + system) / 1e6;
  },
});

/** Inserts by the child process, each of one row, with one statement and one commit. */
const bareInserts = (child: Child, clients: number, wish: Event): Contender => ({
  name: 'bare inserts',
  async run(durationMs) {
    const { perSecond } = await child.request<{ perSecond: number }>({ clients, durationMs, wish });
    return { perSecond };
  },
});

const countSeats = statement<{ confirmed: number; counted: number }>(
  'bench_count_seats',
  `select l.confirmed, (select count(*)::int from registration.registration r
     where r.ticket_type_id = l.ticket_type_id and r.status = 'confirmed') as counted
   from registration.seat_ledger l where l.ticket_type_id = $1`,
);

/**
 * Sends more registrations than there are seats through the gateway, while registrations in another
 * event continue.
 */
async function rush(
  { platform, onEnd }: BenchEnvironment,
  options: {
    db: Database;
    load: LoadProcess;
    headers: Record<string, string>;
    createEvent: (capacity: number) => Promise<Event>;
  },
): Promise<AdmissionFigures['rush']> {
  const { db, load, headers, createEvent } = options;
  const url = platform.apiUrls.gateway ?? '';
  const [hot, calm] = [await createEvent(seats), await createEvent(1_000_000)];
  const beside = startLoadProcess();
  onEnd(beside.stop);
  const job = {
    url,
    durationMs: 120_000,
    connections: 256,
    limit: buyers,
    expected: [201, 412, 503],
  };
  const rushing = load.run({ ...requestFor(hot, headers), ...job });
  const calmJob = { url, connections: 4, durationMs: 4_000, expected: [201] };
  const [all, other] = await Promise.all([
    rushing,
    beside.run({ ...requestFor(calm, headers), ...calmJob }),
  ]);
  const [ledger] = await db.query(countSeats, [hot.typeId]);
  const sold = all.statuses[201] ?? 0;
  if (sold !== seats || ledger?.confirmed !== seats || ledger.counted !== seats) {
    throw new Error(`${seats} seats, but sold ${sold}, ledger ${JSON.stringify(ledger)}`);
  }
  return {
    buyers: all.requests,
    seats,
    sold,
    undecided: all.statuses[503] ?? 0,
    perSecond: all.perSecond,
    p99Ms: all.p99Ms,
    otherP50Ms: other.p50Ms,
    otherP99Ms: other.p99Ms,
  };
}

/** Formats the figures as text. */
export const describeAdmission = ({ rates, rush }: AdmissionFigures): string =>
  [
    ...rates.flatMap((rate) => [
      `${rate.connections} connections`,
      line('admission', rate.admission),
      line('plain', rate.plain),
      line('bare inserts', rate.bareInserts),
      `admission ÷ plain: ${rate.overPlain.toFixed(2)}`,
      describeVerdict(rate.overBareInserts),
      `per registration: ${describeCosts(rate.costs)}`,
    ]),
    `${rush.buyers} buyers for ${rush.seats} seats: ${rush.sold} sold, ${rush.undecided} undecided, ${rush.perSecond.toFixed(0)} req/s, p99 ${rush.p99Ms.toFixed(0)} ms`,
    `another event meanwhile: p50 ${rush.otherP50Ms.toFixed(1)} ms, p99 ${rush.otherP99Ms.toFixed(1)} ms`,
  ].join('\n');
