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

/**
 * Returns the seconds of a run from the samples that k6 wrote as CSV with timestamps in
 * milliseconds. Seconds without samples are included.
 * Errors: those of the file.
 */
export async function readSeconds(csv: string): Promise<Second[]> {
  const byTime = new Map<number, number[]>();
  for await (const line of createInterface({ input: createReadStream(csv) })) {
    const [metric, time, value] = line.split(',', 3);
    if (metric !== 'http_req_duration') continue;
    const second = Math.floor(Number(time) / 1000);
    const values = byTime.get(second) ?? [];
    values.push(Number(value));
    byTime.set(second, values);
  }
  const times = [...byTime.keys()];
  const first = Math.min(...times);
  return Array.from({ length: times.length === 0 ? 0 : Math.max(...times) - first + 1 }, (_, at) =>
    summed(at, byTime.get(first + at) ?? []),
  );
}

function summed(at: number, values: number[]): Second {
  const sorted = values.sort((a, b) => a - b);
  const share = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
  return { at, requests: sorted.length, p50: share(0.5), p99: share(0.99) };
}
