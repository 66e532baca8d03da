import { readCpuSeconds } from './cpu-time.ts';
import type { BenchEnvironment } from './environment.ts';
import { getRequest, startLoadProcess } from './load/run-load.ts';
import { warmUpMs } from './rounds.ts';

/** How long requests take while a process is as busy as this. */
export interface KneeStep {
  connections: number;
  perSecond: number;
  /** CPU time of the gateway per time. */
  cores: number;
  p50Ms: number;
  p99Ms: number;
}

const steps = [1, 2, 3, 4, 6, 8, 16, 32, 64];

/**
 * Sends requests to the gateway on more and more connections, on each one after the other. They
 * reach no service, so what grows is the queue of one event loop.
 */
export async function measureKnee(
  { platform, pids, progress, onEnd }: BenchEnvironment,
  { headers, stepMs }: { headers: Record<string, string>; stepMs: number },
): Promise<KneeStep[]> {
  const load = startLoadProcess();
  onEnd(load.stop);
  const job = {
    url: platform.apiUrls.gateway ?? '',
    head: getRequest('/v1/nothing', headers),
    expected: [404],
  };
  await load.run({ ...job, connections: 16, durationMs: warmUpMs });
  const used = () => readCpuSeconds({ gateway: pids().gateway ?? 0 }).gateway ?? 0;
  const figures: KneeStep[] = [];
  for (const connections of steps) {
    const before = used();
    const startedAt = performance.now();
    const { perSecond, p50Ms, p99Ms } = await load.run({ ...job, connections, durationMs: stepMs });
    const seconds = (performance.now() - startedAt) / 1000;
    const step = { connections, perSecond, cores: (used() - before) / seconds, p50Ms, p99Ms };
    figures.push(step);
    progress.say(describeStep(step));
  }
  load.stop();
  return figures;
}

export const describeStep = ({ connections, perSecond, cores, p50Ms, p99Ms }: KneeStep): string =>
  `  ${String(connections).padStart(3)} connections: ${cores.toFixed(2)} cores, ${perSecond.toFixed(0)} requests/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(1)} ms`;
