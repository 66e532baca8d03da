import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { readCpuSeconds } from './cpu-time.ts';
import type { BenchEnvironment } from './environment.ts';
import { quantile } from './statistics.ts';

/** How long requests take while a process is as busy as this. */
export interface KneeStep {
  requestsPerSecond: number;
  /** CPU time of the gateway per time. */
  cores: number;
  p50Ms: number;
  p99Ms: number;
}

const firstRate = 500;
const growth = 1.3;
/** Above it most requests wait for others. */
const enoughCores = 0.97;
const maxSteps = 14;
const tickMs = 5;

/**
 * Sends requests to the gateway at rising rates, whether or not earlier ones have ended. They reach
 * no service: what grows is the queue of one event loop.
 */
export async function measureKnee(
  { platform, pids, progress, onEnd }: BenchEnvironment,
  { headers, stepMs }: { headers: Record<string, string>; stepMs: number },
): Promise<KneeStep[]> {
  const pool = new Pool(platform.apiUrls.gateway ?? '', { connections: 256 });
  onEnd(() => void pool.close());
  const gateway = () => readCpuSeconds({ gateway: pids().gateway ?? 0 }).gateway ?? 0;
  const steps: KneeStep[] = [];
  for (let rate = firstRate; steps.length < maxSteps; rate *= growth) {
    const used = gateway();
    const startedAt = performance.now();
    const times = await sendAt(pool, { rate, durationMs: stepMs, headers });
    const seconds = (performance.now() - startedAt) / 1000;
    const step = {
      requestsPerSecond: times.length / seconds,
      cores: (gateway() - used) / seconds,
      p50Ms: quantile(times, 0.5),
      p99Ms: quantile(times, 0.99),
    };
    steps.push(step);
    progress.say(describeStep(step));
    if (step.cores > enoughCores || step.requestsPerSecond < rate * 0.9) break;
  }
  return steps;
}

async function sendAt(
  pool: Pool,
  {
    rate,
    durationMs,
    headers,
  }: { rate: number; durationMs: number; headers: Record<string, string> },
): Promise<number[]> {
  const startedAt = performance.now();
  const sent: Promise<number>[] = [];
  const total = (rate * durationMs) / 1000;
  while (sent.length < total) {
    const due = Math.min(total, ((performance.now() - startedAt) * rate) / 1000);
    while (sent.length < due) sent.push(timeOne(pool, headers));
    await wait(tickMs);
  }
  return Promise.all(sent);
}

async function timeOne(pool: Pool, headers: Record<string, string>): Promise<number> {
  const sentAt = performance.now();
  const { statusCode, body } = await pool.request({ method: 'GET', path: '/v1/nothing', headers });
  await body.dump();
  if (statusCode !== 404) throw new Error(`an unknown path responded with ${statusCode}`);
  return performance.now() - sentAt;
}

export const describeStep = ({ requestsPerSecond, cores, p50Ms, p99Ms }: KneeStep): string =>
  `${requestsPerSecond.toFixed(0)} requests/s: ${cores.toFixed(2)} cores, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
