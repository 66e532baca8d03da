import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { currentVersion } from '@event-api/contracts/version';
import {
  type Capacity,
  capacityFile,
  type Knee,
} from '@event-api/deploy/kubernetes/scale/capacity';
import { systemClock } from '@event-api/platform/core/clock';
import { measureIdle, measureOperation, mediansOf, type OperationCosts } from './capacity-costs.ts';
import { describeStep, measureKnees } from './capacity-knee.ts';
import { prepareOperations } from './capacity-operations.ts';
import { writeScalePage } from './capacity-page.ts';
import { measureStarts, type StartFigures } from './capacity-start.ts';
import { openDatabases } from './database.ts';
import type { BenchEnvironment } from './environment.ts';
import { warmUpMs } from './rounds.ts';
import { createSeller, sale, startBuyers } from './sale.ts';

/** What an operation costs each process, how long a process starts, and how busy it may be. */
export interface CapacityFigures {
  operations: Record<string, OperationCosts>;
  knees: Record<string, Knee>;
  start: StartFigures;
}

/** Figures of these are not those of production: others pay and sign in there. */
const standIns = ['payment-sandbox', 'identity-sandbox'];

/**
 * Measures the CPU time of every operation in every process, round by round, because the speed of
 * the machine varies over time. Unlike throughput, CPU time depends little on what else runs.
 */
export async function benchCapacity(
  environment: BenchEnvironment,
  { rounds, roundMs }: { rounds: number; roundMs: number },
): Promise<CapacityFigures> {
  const { platform, pids, progress, settle } = environment;
  const operations = await prepareOperations(environment, rounds * (roundMs + warmUpMs));
  const all = new Map<string, OperationCosts[]>(operations.map(({ name }) => [name, []]));
  const databases = await openDatabases(platform.databaseUrls);
  try {
    await settle();
    const idle = await measureIdle(pids);
    for (let round = 1; round <= rounds; round++) {
      for (const operation of operations) {
        const costs = await measureOperation({ databases, pids, idle }, operation, roundMs);
        all.get(operation.name)?.push(costs);
        progress.say(`round ${round} ${describeOperation(operation.name, costs)}`);
      }
    }
  } finally {
    await Promise.all(databases.map((each) => each.close()));
  }
  const { headers, onSale } = await sellerOf(environment);
  return {
    operations: Object.fromEntries([...all].map(([name, costs]) => [name, mediansOf(costs)])),
    knees: await measureKnees(environment, { headers, onSale, stepMs: roundMs / 2 }),
    start: await measureStarts(environment, { rounds, readPath: onSale.path, headers }),
  };
}

async function sellerOf(environment: BenchEnvironment) {
  const { secret } = await createSeller(environment);
  const onSale = await sale(await startBuyers(environment, secret), 1_000_000);
  const headers = { authorization: `Bearer ${secret}`, 'service-version': currentVersion };
  return { headers, onSale };
}

/** Writes the figures by which the manifests are sized and sales are planned, and their page. */
export function recordCapacity({ operations, start, knees }: CapacityFigures): void {
  const costs = Object.entries(operations).map(([name, { cpuMicros, walBytes, diskBytes }]) => [
    name,
    {
      cpuMicros: Object.fromEntries(
        Object.entries(cpuMicros)
          .filter(([process, micros]) => !standIns.includes(process) && micros >= 1)
          .map(([process, micros]) => [process, Math.round(micros)]),
      ),
      walBytes: Math.round(walBytes),
      diskBytes: Math.round(diskBytes),
    },
  ]);
  const seconds = Object.entries(start.untilReady).map(([name, { cpuSeconds }]) => [
    name,
    Number(cpuSeconds.toFixed(1)),
  ]);
  const capacity: Capacity = {
    measuredAt: systemClock.now().toISOString().slice(0, 10),
    machine: `${cpus().length} processors (${cpus()[0]?.model.trim() ?? 'unknown'})`,
    operations: Object.fromEntries(costs) as Capacity['operations'],
    cpuSecondsUntilReady: Object.fromEntries(seconds),
    knees: Object.fromEntries(Object.entries(knees).map(([title, each]) => [title, rounded(each)])),
  };
  writeFileSync(capacityFile, `${JSON.stringify(capacity, null, 2)}\n`);
  writeScalePage(capacity);
}

const rounded = ({ process, steps }: Knee): Knee => ({
  process,
  steps: steps.map((step) => ({
    connections: step.connections,
    perSecond: Math.round(step.perSecond),
    cores: Number(step.cores.toFixed(2)),
    p50Ms: Number(step.p50Ms.toFixed(2)),
    p99Ms: Number(step.p99Ms.toFixed(1)),
  })),
});

const describeOperation = (name: string, costs: OperationCosts): string => {
  const byProcess = Object.entries(costs.cpuMicros)
    .filter(([, micros]) => micros >= 1)
    .toSorted(([, a], [, b]) => b - a)
    .map(([process, micros]) => `${process} ${micros.toFixed(0)}`);
  return [
    `${name.padEnd(12)} ${costs.perSecond.toFixed(0)}/s`,
    `µs of CPU: ${byProcess.join(', ')}`,
    `log ${(costs.walBytes / 1000).toFixed(1)} kB, disk ${(costs.diskBytes / 1000).toFixed(1)} kB`,
  ].join('; ');
};

/** Formats the figures as text. */
export const describeCapacity = ({ operations, knees, start }: CapacityFigures): string =>
  [
    'for each operation, medians',
    ...Object.entries(operations).map(([name, costs]) => describeOperation(name, costs)),
    'one gateway on more and more connections',
    ...Object.entries(knees).flatMap(([title, { process, steps }]) => [
      `${title}, ${process}`,
      ...steps.map(describeStep),
    ]),
    'from the start until ready',
    ...Object.entries(start.untilReady).map(
      ([name, { seconds, cpuSeconds }]) =>
        `  ${name.padEnd(12)} ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU`,
    ),
    'reads of a new gateway, one after the other',
    ...start.firstReads.map(
      ({ reads, p50Ms, p99Ms }) =>
        `  up to ${String(reads).padStart(5)}: p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
    ),
  ].join('\n');
