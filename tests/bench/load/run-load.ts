import { startChild } from './child-process.ts';

/** One request, sent again and again, or many that differ in a number. */
export interface Job {
  url: string;
  connections: number;
  durationMs: number;
  /** The whole request as it goes over the wire; with a body, up to its Content-Length. */
  head: string;
  /** Every `#` in it becomes a number that no other request has. */
  body?: string;
  /** Then `#` is 1, 2, 3 and so on, over all jobs of the same body, and each so-manieth request repeats the last number. */
  repeatEvery?: number;
  /** How many requests are sent at most. */
  limit?: number;
  /** The statuses that count as good; 200 unless told otherwise. */
  expected?: number[];
}

export interface JobResult {
  requests: number;
  /** By status; 0 are errors of connections. */
  statuses: Record<number, number>;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface LoadProcess {
  /** Errors: when any answer is not an expected one, or the process is gone. */
  run(job: Job): Promise<JobResult>;
  stop(): void;
}

/** A process that puts load on servers, so that its own work is not measured with theirs. */
export function startLoadProcess(): LoadProcess {
  const child = startChild('load/worker.ts');
  return {
    async run(job) {
      const result = await child.request<JobResult>(job);
      const expected = job.expected ?? [200];
      if (Object.keys(result.statuses).some((status) => !expected.includes(Number(status)))) {
        const seen = JSON.stringify(result.statuses);
        throw new Error(`${job.url} did not answer ${expected.join(' or ')} only: ${seen}`);
      }
      return result;
    },
    stop: child.stop,
  };
}

/** A GET as it goes over the wire. */
export const getRequest = (path: string, headers: Record<string, string>): string =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: bench',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

/** A POST up to the length of its body. */
export const postHead = (path: string, headers: Record<string, string>): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: bench',
    'Content-Type: application/json',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
  ].join('\r\n');
