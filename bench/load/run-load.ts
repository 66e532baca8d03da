import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** One request, sent again and again. */
export interface Job {
  url: string;
  connections: number;
  durationMs: number;
  /** The whole request as it goes over the wire; it has no body. */
  head: string;
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
  /** Errors: when any answer is not a 200, or the process is gone. */
  run(job: Job): Promise<JobResult>;
  stop(): void;
}

/** A process that puts load on servers, so that its own work is not measured with theirs. */
export function startLoadProcess(): LoadProcess {
  const child = fork(join(import.meta.dirname, 'worker.ts'));
  return {
    async run(job) {
      const gone = once(child, 'exit').then(() =>
        Promise.reject(new Error('the load process ended')),
      );
      child.send(job);
      const [result] = (await Promise.race([once(child, 'message'), gone])) as [JobResult];
      const { 200: _good, ...others } = result.statuses;
      if (Object.keys(others).length > 0) {
        throw new Error(`${job.url} did not answer 200 only: ${JSON.stringify(result.statuses)}`);
      }
      return result;
    },
    stop: () => child.disconnect(),
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
