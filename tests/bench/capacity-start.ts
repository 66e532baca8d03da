import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { processNames } from '@event-api/contracts/topology';
import { freePort } from '@event-api/local-servers/ports';
import { isHealthy, waitUntil } from '@event-api/local-servers/probe';
import { Pool } from 'undici';
import { readCpuSeconds } from './cpu-time.ts';
import type { BenchEnvironment } from './environment.ts';
import { median, quantile } from './statistics.ts';

/** What a new pod needs until it serves as fast as the others. */
export interface StartFigures {
  /** From the start of the process until it is ready, and the CPU time of it, by process. */
  untilReady: Record<string, { seconds: number; cpuSeconds: number }>;
  /** The reads of a new gateway, one after the other, as they get faster. */
  firstReads: { reads: number; p50Ms: number; p99Ms: number }[];
}

const readyTimeoutMs = 60_000;
const readsPerStep = 250;
const steps = 8;

/** Starts one more of each process, as often as there are rounds, one after the other. */
export async function measureStarts(
  environment: BenchEnvironment,
  { rounds, readPath, headers }: { rounds: number; readPath: string; headers: HeadersOfRead },
): Promise<StartFigures> {
  const untilReady: StartFigures['untilReady'] = {};
  for (const name of processNames) {
    const starts: StartFigures['untilReady'][string][] = [];
    for (let round = 0; round < rounds; round++) {
      const replica = await startReplica(environment, name);
      starts.push(replica.start);
      await replica.stop();
    }
    untilReady[name] = {
      seconds: median(starts.map(({ seconds }) => seconds)),
      cpuSeconds: median(starts.map(({ cpuSeconds }) => cpuSeconds)),
    };
    environment.progress.say(`${name} is ready after ${untilReady[name]?.seconds.toFixed(1)} s`);
  }
  const gateway = await startReplica(environment, 'gateway');
  const firstReads = await readOneByOne(gateway.url, readPath, headers);
  await gateway.stop();
  return { untilReady, firstReads };
}

type HeadersOfRead = Record<string, string>;

/** One more process beside the one of the platform, on ports of its own. */
async function startReplica({ platform, onEnd }: BenchEnvironment, name: string) {
  const spec = platform.specs[name];
  if (spec === undefined) throw new Error(`there is no process ${name}`);
  const [api, internal] = [await freePort(), await freePort()];
  const [program = '', ...args] = spec.command;
  const startedAt = performance.now();
  const child = spawn(program, args, {
    env: { ...spec.env, PORT: String(api), INTERNAL_PORT: String(internal) },
    stdio: 'ignore',
  });
  onEnd(() => void child.kill('SIGKILL'));
  const isReady = () => isHealthy(`http://127.0.0.1:${internal}/readyz`);
  if (!(await waitUntil(isReady, readyTimeoutMs))) throw new Error(`${name} does not start`);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuSeconds = readCpuSeconds({ [name]: child.pid ?? 0 })[name] ?? 0;
  return {
    url: `http://127.0.0.1:${api}`,
    start: { seconds, cpuSeconds },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function readOneByOne(
  url: string,
  path: string,
  headers: HeadersOfRead,
): Promise<StartFigures['firstReads']> {
  const pool = new Pool(url, { connections: 1 });
  const figures: StartFigures['firstReads'] = [];
  for (let step = 0; step < steps; step++) {
    const times: number[] = [];
    for (let n = 0; n < readsPerStep; n++) {
      const sentAt = performance.now();
      const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${path} responded with ${statusCode}`);
      times.push(performance.now() - sentAt);
    }
    figures.push({
      reads: (step + 1) * readsPerStep,
      p50Ms: quantile(times, 0.5),
      p99Ms: quantile(times, 0.99),
    });
  }
  await pool.close();
  return figures;
}
