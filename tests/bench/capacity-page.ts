import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { topology } from '@event-api/contracts/topology';
import { splitManifests } from '@event-api/deploy/kubernetes/release';
import { readRendered } from '@event-api/deploy/kubernetes/render';
import {
  type Capacity,
  coresOf,
  logBytesOf,
  type OperationName,
  operations,
  type Rates,
} from '@event-api/deploy/kubernetes/scale/capacity';
import { sizesOf } from '@event-api/deploy/kubernetes/scale/process-size';
import { ratesOf } from '@event-api/deploy/kubernetes/scale/rates';
import { markdownTable } from '@event-api/tools/documents/markdown-table';

export const scalePage = join(import.meta.dirname, '../../docs/scale.md');

const servers = { postgres: 'PostgreSQL', nats: 'NATS', redis: 'Redis' };
const processes = topology.map(({ name }) => name);
const titles: Record<OperationName, string> = {
  read: 'read of an event',
  registration: 'registration',
  freeOrder: 'free order',
  paidOrder: 'paid order',
  checkin: 'check-in',
  feedRow: 'row of the feed, read',
  consolePage: 'overview in the console',
};

/** Above it a server has no room for the load of a failed one, or for a checkpoint. */
const PRIMARY_SHARE = 0.6;
/** What a volume for the log writes in a second, with its fsyncs. */
const LOG_BYTES_PER_SECOND = 150e6;

/** A ticket that is sold, read about ten times, reported to one integrator and scanned once. */
const oneTicket: Rates = ratesOf({ orders: '1/s', checkins: '1/s' });

/** Writes the figures into docs/scale.md, between their marks. */
export function writeScalePage(capacity: Capacity): void {
  writeFileSync(scalePage, withFigures(readFileSync(scalePage, 'utf8'), capacity));
}

/** The page with these figures. Errors: it lacks a mark. */
export function withFigures(page: string, capacity: Capacity): string {
  const blocks = {
    run: `Measured on ${capacity.measuredAt}, ${capacity.machine}.`,
    costs: costsTable(capacity),
    pods: podsTable(capacity),
    knees: kneesTable(capacity),
    primary: primaryTable(capacity),
    tickets: ticketsTable(capacity),
    chart: ticketChart(capacity),
  };
  return Object.entries(blocks).reduce((text, [name, block]) => {
    const marks = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- end of ${name} -->)`);
    if (!marks.test(text)) throw new Error(`docs/scale.md has no marks for ${name}`);
    return text.replace(marks, `$1\n${block}\n\n$2`);
  }, page);
}

const cpuMs = ({ operations: costs }: Capacity, operation: OperationName, process: string) =>
  (costs[operation].cpuMicros[process] ?? 0) / 1000;

function costsTable(capacity: Capacity): string {
  const columns = [...processes, ...Object.keys(servers)];
  const cell = (ms: number) => (ms < 0.005 ? '' : ms.toFixed(2));
  return markdownTable(
    ['ms of CPU', ...processes, ...Object.values(servers), 'log, kB', 'tables, kB'],
    operations.map((operation) => [
      titles[operation],
      ...columns.map((process) => cell(cpuMs(capacity, operation, process))),
      kilobytes(capacity.operations[operation].walBytes),
      kilobytes(capacity.operations[operation].diskBytes),
    ]),
  );
}

const kilobytes = (bytes: number): string => (bytes < 50 ? '' : (bytes / 1000).toFixed(1));

/** The process that an operation keeps busiest, and others that matter for it. */
const carriers: [process: string, operation: OperationName][] = [
  ['gateway', 'read'],
  ['catalog', 'read'],
  ['registration', 'registration'],
  ['commerce', 'paidOrder'],
  ['registration', 'paidOrder'],
  ['gateway', 'paidOrder'],
  ['onsite', 'checkin'],
  ['gateway', 'checkin'],
  ['changes', 'feedRow'],
  ['console', 'consolePage'],
];

function podsTable(capacity: Capacity): string {
  const sizes = sizesOf(splitManifests(readRendered('production')));
  return markdownTable(
    ['Pod', 'Operations', 'at its request', 'when another is added', 'at one core'],
    carriers.map(([process, operation]) => {
      const { requestCores = 0, busyCores = 0 } = sizes.find(({ name }) => name === process) ?? {};
      const perSecond = (cores: number) =>
        rate((cores * 1000) / cpuMs(capacity, operation, process));
      return [
        `\`${process}\``,
        titles[operation],
        ...[requestCores, busyCores, 1].map((cores) => `${perSecond(cores)}/s`),
      ];
    }),
  );
}

/** The steps on the page. */
const shownConnections = [1, 4, 16, 64];

/** A step of a closed loop: as many requests are under way as there are connections. */
function kneesTable({ knees }: Capacity): string {
  return markdownTable(
    ['Requested', 'connections', 'cores', 'requests', 'half within', '99 % within'],
    Object.entries(knees).flatMap(([title, { process, steps }]) =>
      steps
        .filter(({ connections }) => shownConnections.includes(connections))
        .map(({ connections, cores, perSecond, p50Ms, p99Ms }) => [
          title,
          String(connections),
          `\`${process}\` ${cores.toFixed(2)}`,
          `${rate(perSecond)}/s`,
          `${p50Ms.toFixed(2)} ms`,
          `${p99Ms.toFixed(1)} ms`,
        ]),
    ),
  );
}

function primaryTable(capacity: Capacity): string {
  const written = operations.filter((name) => capacity.operations[name].walBytes > 500);
  return markdownTable(
    ['Operations', '8 cores at 60 %', '32 cores at 60 %', '150 MB/s of log', 'the log binds from'],
    written.map((operation) => {
      const byCores = (cores: number) =>
        (cores * PRIMARY_SHARE * 1000) / cpuMs(capacity, operation, 'postgres');
      const byLog = LOG_BYTES_PER_SECOND / capacity.operations[operation].walBytes;
      return [
        titles[operation],
        ...[byCores(8), byCores(32), byLog].map((figure) => `${rate(figure)}/s`),
        `${Math.ceil(byLog / byCores(1))} cores`,
      ];
    }),
  );
}

function ticketsTable(capacity: Capacity): string {
  const million = 1e6;
  const hours = (names: readonly string[]) =>
    names.reduce((sum, name) => sum + (coresOf(name, oneTicket, capacity) * million) / 3600, 0);
  const disk = operations.reduce(
    (sum, name) => sum + oneTicket[name] * capacity.operations[name].diskBytes * million,
    0,
  );
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(0)} GB`;
  return markdownTable(
    ['A million tickets', ''],
    [
      ['CPU of the processes', `${hours(processes).toFixed(1)} hours of one core`],
      ['CPU of PostgreSQL', `${hours(['postgres']).toFixed(1)} hours of one core`],
      ['CPU of NATS and Redis', `${hours(['nats', 'redis']).toFixed(1)} hours of one core`],
      ['log of PostgreSQL', gigabytes(logBytesOf(oneTicket, capacity) * million)],
      ['tables and indexes of PostgreSQL', gigabytes(disk)],
    ],
  );
}

function ticketChart(capacity: Capacity): string {
  const names = { ...Object.fromEntries(processes.map((name) => [name, name])), ...servers };
  const parts = Object.entries(names)
    .map(([name, title]) => ({ title, ms: coresOf(name, oneTicket, capacity) * 1000 }))
    .filter(({ ms }) => ms >= 0.05)
    .toSorted((a, b) => b.ms - a.ms);
  return [
    '```mermaid',
    'pie showData',
    '  title CPU time of one ticket, in ms: ten reads, a paid order, the feed, a check-in',
    ...parts.map(({ title, ms }) => `  "${title}" : ${ms.toFixed(1)}`),
    '```',
  ].join('\n');
}

/** With two significant digits. */
const rate = (perSecond: number): string =>
  Number(perSecond.toPrecision(2)).toLocaleString('en-US', { maximumFractionDigits: 1 });
