import { timeouts } from '../timeouts.ts';

/** What a business unit, or one of its keys or devices, has used. */
export interface Usage {
  requests: number;
  /** Those of them that got a 429. */
  refused: number;
  /** The time of its requests, in milliseconds. */
  busyMs: number;
}

/** What one request has used. */
interface Use {
  isRefused: boolean;
  busyMs: number;
}

/** The credential of a request. */
export interface UsedBy {
  businessUnitId: string;
  /** The id of a key or a device. */
  credentialId: string;
}

export const measures = ['requests', 'refused', 'busyMs'] as const;

/** The most units, and the most credentials, that a gateway counts between two reports. */
const maxCounted = 2000;
/** The most units, and the most credentials, in one report. */
const maxReported = 100;

/** What a gateway has counted since its last report. */
export interface UsageCounts {
  all: Usage;
  units: Map<string, Usage>;
  /** By business unit and credential. */
  credentials: Map<string, Usage>;
}

const unused = (): Usage => ({ requests: 0, refused: 0, busyMs: 0 });

export const createUsageCounts = (): UsageCounts => ({
  all: unused(),
  units: new Map(),
  credentials: new Map(),
});

/**
 * Counts a request that has ended. Beyond 2,000 units a further one counts in the sum alone, until
 * the next report begins anew: who sends many requests is among the first of some seconds.
 */
export function countUse(
  counts: UsageCounts,
  { businessUnitId, credentialId }: UsedBy,
  use: Use,
): void {
  add(counts.all, use);
  addTo(counts.units, businessUnitId, use);
  addTo(counts.credentials, `${businessUnitId}/${credentialId}`, use);
}

function addTo(usages: Map<string, Usage>, id: string, use: Use): void {
  let usage = usages.get(id);
  if (!usage) {
    if (usages.size >= maxCounted) return;
    usage = unused();
    usages.set(id, usage);
  }
  add(usage, use);
}

function add(usage: Usage, { isRefused, busyMs }: Use): void {
  usage.requests += 1;
  if (isRefused) usage.refused += 1;
  usage.busyMs += busyMs;
}

/** What this gateway has counted since its last report. */
export interface UsageCounter {
  current: UsageCounts;
}

export const createUsageCounter = (): UsageCounter => ({ current: createUsageCounts() });

const sum = 'all';

/**
 * A report as the fields of a hash, to which several gateways add: the sum, and the 100 units and
 * credentials with the most requests and with the most time.
 */
export function reportFields({ all, units, credentials }: UsageCounts): Map<string, number> {
  const fields = new Map<string, number>();
  const reported = [[sum, all] as const, ...heaviest(units), ...heaviest(credentials)];
  for (const [subject, usage] of reported) {
    for (const measure of measures) {
      const amount = Math.round(usage[measure]);
      if (amount > 0) fields.set(`${subject}:${measure}`, amount);
    }
  }
  return fields;
}

function heaviest(usages: ReadonlyMap<string, Usage>): Iterable<readonly [string, Usage]> {
  if (usages.size <= maxReported) return usages;
  const by = (measure: 'requests' | 'busyMs') =>
    [...usages].toSorted(([, a], [, b]) => b[measure] - a[measure]).slice(0, maxReported);
  return new Map([...by('requests'), ...by('busyMs')]);
}

/** The usage of a unit, with that of its credentials. */
export interface UnitUsage extends Usage {
  businessUnitId: string;
  credentials: (Usage & { id: string })[];
}

/** What all gateways have reported. Units and credentials with the most requests come first. */
export interface UsageSummary {
  all: Usage;
  units: UnitUsage[];
}

/** Adds up reports. Fields that it does not know are of a later release and count nothing. */
export function summarize(reports: readonly Readonly<Record<string, string>>[]): UsageSummary {
  const all = unused();
  const units = new Map<string, UnitUsage>();
  const credentials = new Map<string, Usage & { id: string }>();
  const unitOf = (businessUnitId: string): UnitUsage => {
    const unit = units.get(businessUnitId) ?? { ...unused(), businessUnitId, credentials: [] };
    units.set(businessUnitId, unit);
    return unit;
  };
  const credentialOf = (subject: string, businessUnitId: string, id: string): Usage => {
    const found = credentials.get(subject);
    if (found) return found;
    const credential = { ...unused(), id };
    credentials.set(subject, credential);
    unitOf(businessUnitId).credentials.push(credential);
    return credential;
  };
  const usageOf = (subject: string): Usage => {
    if (subject === sum) return all;
    const [businessUnitId = '', id] = subject.split('/');
    return id === undefined ? unitOf(businessUnitId) : credentialOf(subject, businessUnitId, id);
  };
  for (const report of reports) {
    for (const [field, amount] of Object.entries(report)) {
      const [subject = '', measure] = field.split(':');
      const known = measures.find((each) => each === measure);
      if (known) usageOf(subject)[known] += Number(amount);
    }
  }
  const sorted = [...units.values()].toSorted(byRequests);
  for (const unit of sorted) unit.credentials.sort(byRequests);
  return { all, units: sorted };
}

const byRequests = (a: Usage, b: Usage): number => b.requests - a.requests;

/** The places that the metric of the heaviest units shows. */
const maxRanks = 5;

/** The requests of the units with the most of them, by rank, and of all others as `rest`. */
export function ranksOf({ all, units }: UsageSummary): { rank: string; requests: number }[] {
  const top = units.slice(0, maxRanks).map(({ requests }) => requests);
  const rest = Math.max(0, all.requests - top.reduce((total, requests) => total + requests, 0));
  return [
    ...Array.from({ length: maxRanks }, (_, i) => ({
      rank: String(i + 1),
      requests: top[i] ?? 0,
    })),
    { rank: 'rest', requests: rest },
  ];
}

/** The minute of an instant, counted from the Unix epoch. */
export const minuteOf = (at: Date): number => Math.floor(at.getTime() / timeouts.usageMinuteMs);

/** The start of a minute. */
export const startOf = (minute: number): Date => new Date(minute * timeouts.usageMinuteMs);

/** The last minute to which every gateway has reported, if reports are `graceMs` late at most. */
export const lastCompleteMinute = (now: Date, graceMs: number): number =>
  minuteOf(new Date(now.getTime() - graceMs)) - 1;
