import { schemas } from '@event-api/contracts/topology';
import { every, type Loop } from '@event-api/platform/core/every';
import type { Kubectl } from './kubectl.ts';
import { MAY_BE_READY } from './nodes.ts';
import { type Condition, hasCondition } from './state.ts';

const INTERVAL_MS = 500;

/** A Job or a Pod, as far as the wait needs it. */
export interface Workload {
  kind: string;
  metadata: {
    name: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    ownerReferences?: { kind: string }[];
  };
  spec: {
    containers?: { image: string }[];
    template?: { spec: { containers: { image: string }[] } };
  };
  status?: { conditions?: Condition[] };
}

/**
 * The names of the pods that a node may call ready. A process with a schema waits until a migration
 * of its own image is complete; everything else is ready at once.
 */
export function podsThatMayBeReady(found: readonly Workload[]): string[] {
  const migrated = new Set(
    found
      .filter(({ kind, status }) => kind === 'Job' && hasCondition(status?.conditions, 'Complete'))
      .map(({ spec }) => spec.template?.spec.containers[0]?.image),
  );
  const waitsForSchema = ({ metadata, spec }: Workload) =>
    schemas.some((schema) => schema === metadata.labels?.['app.kubernetes.io/name']) &&
    !migrated.has(spec.containers?.[0]?.image);
  return found
    .filter(({ kind, metadata }) => kind === 'Pod' && !metadata.annotations?.[MAY_BE_READY])
    .filter(({ metadata }) => !metadata.ownerReferences?.some((owner) => owner.kind === 'Job'))
    .filter((pod) => !waitsForSchema(pod))
    .map(({ metadata }) => metadata.name);
}

/**
 * The nodes run no containers. This is what a process does when it starts: it waits for its schema,
 * and says that it is ready.
 */
export const waitForSchemas = (kubectl: Kubectl): Loop =>
  every(
    async () => {
      const { items } = await kubectl.get<{ items: Workload[] }>(['pods,jobs']);
      const names = podsThatMayBeReady(items);
      if (names.length === 0) return;
      // A pod may have been deleted meanwhile.
      await kubectl.try(['annotate', 'pod', ...names, `${MAY_BE_READY}=yes`]);
    },
    {
      intervalMs: INTERVAL_MS,
      // The API server is busy; the next attempt follows.
      onError: () => {},
    },
  );
