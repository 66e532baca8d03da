// A process that generates load. Each message is a job; the reply is its result.
import { closedLoop } from './closed-loop.ts';
import type { Job, JobResult } from './run-load.ts';

let sent = 0;
const sentOf = new Map<string, number>();

/** Returns the replacement for `#` in the next request with this body. */
function numberFor(body: string, repeatEvery: number | undefined): string {
  if (repeatEvery === undefined) return `${process.pid}x${++sent}`;
  const count = (sentOf.get(body) ?? 0) + 1;
  sentOf.set(body, count);
  // With `repeatEvery` 5, four of five requests have a new number.
  return String(count - Math.floor(count / repeatEvery));
}

process.on('message', async (job: Job) => {
  const { url, connections, durationMs, head, body, repeatEvery, limit } = job;
  const { hostname, port } = new URL(url);
  const bytes = Buffer.from(head);
  const numbered = (text: string) => {
    const payload = text.replaceAll('#', numberFor(text, repeatEvery));
    return Buffer.from(`${head}Content-Length: ${Buffer.byteLength(payload)}\r\n\r\n${payload}`);
  };
  const { requests, statuses, seconds, latencies } = await closedLoop({
    host: hostname,
    port: Number(port),
    connections,
    durationMs,
    next: body === undefined ? () => bytes : () => numbered(body),
    ...(limit !== undefined && { limit }),
  });
  const quantile = (share: number) => latencies[Math.floor(share * (latencies.length - 1))] ?? 0;
  const result: JobResult = {
    requests,
    statuses,
    perSecond: requests / seconds,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  };
  process.send?.(result);
});
process.on('disconnect', () => process.exit());
