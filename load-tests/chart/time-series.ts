import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** Aggregated responses of one second of a run. */
export interface Second {
  /** Seconds since the first response. */
  at: number;
  requests: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/** The responses of one operation. */
export interface Step {
  name: string;
  requests: number;
  /** Milliseconds. */
  p50: number;
  p95: number;
  p99: number;
  seconds: Second[];
}

/** What the samples of a run say. */
export interface Samples {
  seconds: Second[];
  /** By operation, in the order of their first response. */
  steps: Step[];
  /** The seats sold until the end of each second. Empty if none was sold. */
  sold: { at: number; seats: number }[];
}

/** Values by the second in which they were taken. */
type BySecond = Map<number, number[]>;

/**
 * Reads the samples that k6 wrote as CSV with timestamps in milliseconds. Seconds without samples
 * are included.
 * Errors: those of the file.
 */
export async function readSamples(csv: string): Promise<Samples> {
  const all: BySecond = new Map();
  const byName = new Map<string, BySecond>();
  const sales: BySecond = new Map();
  let nameAt = -1;
  for await (const line of createInterface({ input: createReadStream(csv) })) {
    const cells = line.split(',');
    const [metric, time, value] = cells;
    if (metric === 'metric_name') nameAt = cells.indexOf('name');
    const second = Math.floor(Number(time) / 1000);
    if (metric === 'seats_sold') add(sales, second, Number(value));
    if (metric !== 'http_req_duration') continue;
    add(all, second, Number(value));
    const name = cells[nameAt];
    if (name) add(getOrAdd(byName, name), second, Number(value));
  }
  const times = [...all.keys(), ...sales.keys()];
  if (times.length === 0) return { seconds: [], steps: [], sold: [] };
  const first = times.reduce((least, time) => Math.min(least, time));
  const last = times.reduce((most, time) => Math.max(most, time));
  const range = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const secondsOf = (values: BySecond) =>
    range.map((time) => summed(time - first, values.get(time) ?? []));
  return {
    seconds: secondsOf(all),
    steps: [...byName].map(([name, values]) => ({
      name,
      ...shares([...values.values()].flat()),
      seconds: secondsOf(values),
    })),
    sold: sales.size === 0 ? [] : accumulated(range, sales),
  };
}

function getOrAdd(byName: Map<string, BySecond>, name: string): BySecond {
  const found = byName.get(name) ?? new Map();
  byName.set(name, found);
  return found;
}

function add(values: BySecond, second: number, value: number): void {
  const list = values.get(second);
  if (list) list.push(value);
  else values.set(second, [value]);
}

function accumulated(range: readonly number[], sales: BySecond): Samples['sold'] {
  let seats = 0;
  return range.map((time, at) => {
    seats += (sales.get(time) ?? []).reduce((sum, value) => sum + value, 0);
    return { at, seats };
  });
}

function shares(values: number[]) {
  const sorted = values.sort((a, b) => a - b);
  const share = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
  return { requests: sorted.length, p50: share(0.5), p95: share(0.95), p99: share(0.99) };
}

function summed(at: number, values: number[]): Second {
  const { requests, p50, p99 } = shares(values);
  return { at, requests, p50, p99 };
}
