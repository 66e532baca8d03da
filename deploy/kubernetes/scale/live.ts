import type { ScalePlan } from './plan.ts';

/** What this command leaves at an autoscaler, to know later what it has done. */
export const scaledTo = 'event-api/scaled-to';
export const scaledUntil = 'event-api/scaled-until';

/** An autoscaler in the cluster, as far as this command reads it. */
export interface LiveAutoscaler {
  metadata: { name: string; annotations?: Record<string, string> };
  spec: { minReplicas: number; maxReplicas: number };
}

/** A change of an autoscaler, as `kubectl patch --type merge` takes it. */
export interface AutoscalerPatch {
  name: string;
  patch: {
    metadata: { annotations: Record<string, string | null> };
    spec: { minReplicas: number };
  };
}

/** Raises the autoscalers whose processes need more pods than they have at least. */
export const patchesOf = ({ processes }: ScalePlan, until: Date | undefined): AutoscalerPatch[] =>
  processes
    .filter(({ outcome }) => outcome !== 'enough')
    .map(({ name, pods }) => ({
      name,
      patch: {
        metadata: {
          annotations: {
            [scaledTo]: String(pods),
            [scaledUntil]: until === undefined ? null : until.toISOString(),
          },
        },
        spec: { minReplicas: pods },
      },
    }));

/** Sets every autoscaler that is scaled back to what the manifests say. */
export const resetsOf = (
  live: readonly LiveAutoscaler[],
  leastOf: (name: string) => number,
): AutoscalerPatch[] =>
  live
    .filter(({ metadata }) => metadata.annotations?.[scaledTo] !== undefined)
    .map(({ metadata: { name } }) => ({
      name,
      patch: {
        metadata: { annotations: { [scaledTo]: null, [scaledUntil]: null } },
        spec: { minReplicas: leastOf(name) },
      },
    }));

export type ScaleState =
  | { outcome: 'as_manifest' }
  | { outcome: 'scaled'; to: number; until: string | undefined }
  /** A release has applied the manifests since. */
  | { outcome: 'set_back'; to: number; least: number }
  | { outcome: 'overdue'; to: number; until: string };

/** What is left of a scaling. */
export function stateOf({ metadata, spec }: LiveAutoscaler, now: Date): ScaleState {
  const to = Number(metadata.annotations?.[scaledTo] ?? Number.NaN);
  const until = metadata.annotations?.[scaledUntil];
  if (Number.isNaN(to)) return { outcome: 'as_manifest' };
  if (until !== undefined && new Date(until) <= now) return { outcome: 'overdue', to, until };
  if (spec.minReplicas < to) return { outcome: 'set_back', to, least: spec.minReplicas };
  return { outcome: 'scaled', to, until };
}

/** A Deployment in the cluster, as far as the wait for its pods reads it. */
export interface LiveDeployment {
  metadata: { name: string };
  status?: { readyReplicas?: number };
}

/** The processes that have fewer ready pods than wanted, with what they have. */
export const waitingFor = (
  deployments: readonly LiveDeployment[],
  wanted: readonly { name: string; pods: number }[],
): { name: string; ready: number; pods: number }[] =>
  wanted
    .map(({ name, pods }) => ({
      name,
      pods,
      ready: deployments.find(({ metadata }) => metadata.name === name)?.status?.readyReplicas ?? 0,
    }))
    .filter(({ ready, pods }) => ready < pods);
