/** Resident memory of a process, in bytes: at this moment, and the largest since its start. */
export interface ProcessMemory {
  process: string;
  now: number;
  peak: number;
}

const BYTES_PER_MEBIBYTE = 1024 * 1024;

/**
 * Returns the memory of each process by its internal listener. Errors: a process does not respond
 * or report it.
 */
export function readMemory(internalUrls: Record<string, string>): Promise<ProcessMemory[]> {
  return Promise.all(
    Object.entries(internalUrls).map(async ([process, url]) => {
      const text = await (await fetch(`${url}/metrics`)).text();
      return { process, ...memoryIn(process, text) };
    }),
  );
}

/** Returns the two values in the metrics of a process. Errors: one is missing. */
export function memoryIn(process: string, metrics: string): { now: number; peak: number } {
  const bytesOf = (series: string) => {
    const [, value] = new RegExp(`^${series} (\\S+)$`, 'm').exec(metrics) ?? [];
    if (value === undefined) throw new Error(`${process} does not report ${series}`);
    return Number(value);
  };
  return {
    now: bytesOf('process_memory_usage_bytes'),
    peak: bytesOf('process_memory_peak_bytes'),
  };
}

/** Formats the memory of processes as one line each, in MiB. */
export function describeMemory(all: readonly ProcessMemory[]): string {
  const inMebibytes = (bytes: number) => String(Math.round(bytes / BYTES_PER_MEBIBYTE)).padStart(5);
  return [
    'resident memory in MiB: now, peak',
    ...all.map(
      ({ process, now, peak }) =>
        `  ${process.padEnd(16)} ${inMebibytes(now)} ${inMebibytes(peak)}`,
    ),
  ].join('\n');
}
