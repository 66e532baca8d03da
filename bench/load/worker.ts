// A process of its own that puts load on a server: each message is a job, each answer its result.
import { closedLoop } from './closed-loop.ts';
import type { Job, JobResult } from './run-load.ts';

process.on('message', async ({ url, connections, durationMs, head }: Job) => {
  const { hostname, port } = new URL(url);
  const bytes = Buffer.from(head);
  const { requests, statuses, seconds, latencies } = await closedLoop({
    host: hostname,
    port: Number(port),
    connections,
    durationMs,
    next: () => bytes,
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
