import { type Capacity, coresOf, logBytesOf, type Rates } from './capacity.ts';
import type { ProcessSize } from './process-size.ts';

/**
 * More pods than the load needs: one of three zones may fail, and the load is an estimate. Pods of
 * a plan are two thirds as busy as those to which the autoscaler adds another.
 */
export const RESERVE = 1.5;

/** How many pods a process should have before the load comes. */
export type ProcessPlan = { name: string; cores: number } & (
  | { outcome: 'enough'; pods: number }
  | { outcome: 'raise'; pods: number }
  /** The autoscaler may not have as many. */
  | { outcome: 'beyond'; pods: number; needed: number }
);

export interface ScalePlan {
  processes: ProcessPlan[];
  /** Of the pods that are added: nodes must have room for them. */
  added: { pods: number; cores: number; mebibytes: number };
  /** What PostgreSQL has to carry, and the connections that it must accept. */
  postgres: { cores: number; logBytesPerSecond: number; connections: number };
}

/** Connections of migrations and operators, and those that PostgreSQL and its operator reserve. */
export const OTHER_CONNECTIONS = 20;
/** Of the leader lock of each pod. */
const LEADERSHIP = 1;
/** A rollout adds a pod before it removes one. */
const SURGE = 1;

export function planScale(
  rates: Rates,
  sizes: readonly ProcessSize[],
  capacity: Capacity,
): ScalePlan {
  const processes = sizes.map((size) => planProcess(size, coresOf(size.name, rates, capacity)));
  const addedTo = ({ minReplicas }: ProcessSize, index: number) =>
    (processes[index]?.pods ?? minReplicas) - minReplicas;
  const sum = (of: (size: ProcessSize, index: number) => number) =>
    sizes.reduce((total, size, index) => total + of(size, index), 0);
  const mostPods = ({ maxReplicas }: ProcessSize, index: number) => {
    const plan = processes[index];
    return plan?.outcome === 'beyond' ? plan.needed : maxReplicas;
  };
  return {
    processes,
    added: {
      pods: sum(addedTo),
      cores: sum((size, index) => addedTo(size, index) * size.requestCores),
      mebibytes: sum((size, index) => addedTo(size, index) * size.requestMebibytes),
    },
    postgres: {
      cores: coresOf('postgres', rates, capacity),
      logBytesPerSecond: logBytesOf(rates, capacity),
      connections:
        OTHER_CONNECTIONS +
        sum((size, index) => (mostPods(size, index) + SURGE) * (size.poolMax + LEADERSHIP)),
    },
  };
}

function planProcess(size: ProcessSize, cores: number): ProcessPlan {
  const { name, minReplicas, maxReplicas, busyCores } = size;
  // Rounded first: 2.0000000000000004 are two pods.
  const needed = Math.ceil(Number(((cores * RESERVE) / busyCores).toFixed(6)));
  if (needed <= minReplicas) return { name, cores, outcome: 'enough', pods: minReplicas };
  if (needed <= maxReplicas) return { name, cores, outcome: 'raise', pods: needed };
  return { name, cores, outcome: 'beyond', pods: maxReplicas, needed };
}
