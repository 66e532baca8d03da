// A process of its own that puts load on a server: each message is a job, each answer its result.
import { closedLoop } from './closed-loop.ts';
import type { Job, JobResult } from './run-load.ts';

let sent = 0;

process.on('message', async ({ url, connections, durationMs, head, body, limit }: Job) => {
  const { hostname, port } = new URL(url);
  const bytes = Buffer.from(head);
  const numbered = (text: string) => {
    sent += 1;
    const payload = text.replaceAll('#', `${process.pid}x${sent}`);
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
