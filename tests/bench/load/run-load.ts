import { startChild } from './child-process.ts';

/** One request that is sent repeatedly, or many requests that differ in a number. */
export interface Job {
  url: string;
  connections: number;
  durationMs: number;
  /** The complete request in wire format. With a body, everything before Content-Length. */
  head: string;
  /** Each `#` is replaced by a number that is unique per request. */
  body?: string;
  /**
   * If set, `#` counts 1, 2, 3 over all jobs with the same body, and every `repeatEvery`-th request
   * repeats the previous number.
   */
  repeatEvery?: number;
  /** Maximum number of requests. */
  limit?: number;
  /** Statuses that count as success. Default: 200. */
  expected?: number[];
}

export interface JobResult {
  requests: number;
  /** Number of responses by status; 0 counts connection errors. */
  statuses: Record<number, number>;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface LoadProcess {
  /** Errors: an unexpected status; the process has exited. */
  run(job: Job): Promise<JobResult>;
  stop(): void;
}

/**
 * Starts a process that generates load, so that its work is not measured with that of the servers.
 * `niceness` 1 to 19 lets the servers run first.
 */
export function startLoadProcess(niceness = 0): LoadProcess {
  const child = startChild('load/worker.ts', {}, niceness);
  return {
    async run(job) {
      const result = await child.request<JobResult>(job);
      const expected = job.expected ?? [200];
      if (Object.keys(result.statuses).some((status) => !expected.includes(Number(status)))) {
        const seen = JSON.stringify(result.statuses);
        throw new Error(
          `${job.url} responded with other statuses than ${expected.join(' or ')}: ${seen}`,
        );
      }
      return result;
    },
    stop: child.stop,
  };
}

/** Returns a GET in wire format. */
export const getRequest = (path: string, headers: Record<string, string>): string =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: bench',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

/** Returns a POST in wire format up to Content-Length. */
export const postHead = (path: string, headers: Record<string, string>): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: bench',
    'Content-Type: application/json',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
  ].join('\r\n');
