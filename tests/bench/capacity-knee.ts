import type { Knee, KneeStep } from '@event-api/deploy/kubernetes/scale/capacity';
import { readCpuSeconds } from './cpu-time.ts';
import type { BenchEnvironment } from './environment.ts';
import { getRequest, type Job, postHead, startLoadProcess } from './load/run-load.ts';
import { warmUpMs } from './rounds.ts';
import type { Sale } from './sale.ts';

const connectionCounts = [1, 2, 3, 4, 6, 8, 16, 32, 64];

/** What is requested through the gateway, and the process of which it needs most. */
type Kind = { process: string } & Pick<Job, 'head' | 'body' | 'expected'>;

/** One of each kind: what reaches no service, what is read, and what is written. */
const kindsOf = (
  headers: Record<string, string>,
  { path, typeId }: Sale,
): Record<string, Kind> => ({
  'no service': {
    process: 'gateway',
    head: getRequest('/v1/nothing', headers),
    expected: [404],
  },
  'read of an event': { process: 'gateway', head: getRequest(path, headers) },
  registration: {
    process: 'registration',
    head: postHead(`${path}/registrations`, headers),
    body: JSON.stringify({ email: 'knee#@example.com', registrationTypeId: typeId }),
    expected: [201],
  },
});

/**
 * Sends requests of each kind to the gateway on more and more connections, on each one after the
 * other: what grows is the queue of one event loop.
 */
export async function measureKnees(
  { platform, pids, progress, onEnd }: BenchEnvironment,
  { headers, onSale, stepMs }: { headers: Record<string, string>; onSale: Sale; stepMs: number },
): Promise<Record<string, Knee>> {
  const load = startLoadProcess();
  onEnd(load.stop);
  const knees: Record<string, Knee> = {};
  for (const [title, { process, ...request }] of Object.entries(kindsOf(headers, onSale))) {
    const job = { url: platform.apiUrls.gateway ?? '', ...request };
    await load.run({ ...job, connections: 16, durationMs: warmUpMs });
    const used = () => readCpuSeconds({ [process]: pids()[process] ?? 0 })[process] ?? 0;
    const steps: KneeStep[] = [];
    for (const connections of connectionCounts) {
      const before = used();
      const startedAt = performance.now();
      const result = await load.run({ ...job, connections, durationMs: stepMs });
      const seconds = (performance.now() - startedAt) / 1000;
      const { perSecond, p50Ms, p99Ms } = result;
      const step = { connections, perSecond, cores: (used() - before) / seconds, p50Ms, p99Ms };
      steps.push(step);
      progress.say(`${title} ${describeStep(step)}`);
    }
    knees[title] = { process, steps };
  }
  load.stop();
  return knees;
}

export const describeStep = ({ connections, perSecond, cores, p50Ms, p99Ms }: KneeStep): string =>
  `  ${String(connections).padStart(3)} connections: ${cores.toFixed(2)} cores, ${perSecond.toFixed(0)} requests/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(1)} ms`;
