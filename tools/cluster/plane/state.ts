import type { Kubectl } from './kubectl.ts';

/** A pod of a process. */
export interface ProcessPod {
  name: string;
  process: string;
  image: string;
  node: string;
  isReady: boolean;
}

export interface Condition {
  type: string;
  status: string;
}

interface PodList {
  items: {
    metadata: { name: string; labels: Record<string, string>; deletionTimestamp?: string };
    spec: { nodeName?: string; containers: { image: string }[] };
    status: { conditions?: Condition[] };
  }[];
}

/** Whether a condition of an object is true. */
export const hasCondition = (conditions: Condition[] | undefined, type: string) =>
  conditions?.some((each) => each.type === type && each.status === 'True') ?? false;

/** The pods of all processes, without those that are being deleted, sorted by name. */
export async function processPods(kubectl: Kubectl): Promise<ProcessPod[]> {
  const { items } = await kubectl.get<PodList>(['pods', '-l', 'event-api/role=process']);
  return items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata, spec, status }) => ({
      name: metadata.name,
      process: metadata.labels['app.kubernetes.io/name'] ?? '',
      image: spec.containers[0]?.image ?? '',
      node: spec.nodeName ?? '',
      isReady: hasCondition(status.conditions, 'Ready'),
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

export interface DeploymentState {
  name: string;
  image: string;
  wanted: number;
  available: number;
}

interface DeploymentList {
  items: {
    metadata: { name: string };
    spec: { replicas: number; template: { spec: { containers: { image: string }[] } } };
    status: { availableReplicas?: number };
  }[];
}

export async function deployments(kubectl: Kubectl): Promise<DeploymentState[]> {
  const { items } = await kubectl.get<DeploymentList>(['deployments']);
  return items.map(({ metadata, spec, status }) => ({
    name: metadata.name,
    image: spec.template.spec.containers[0]?.image ?? '',
    wanted: spec.replicas,
    available: status.availableReplicas ?? 0,
  }));
}

export interface JobState {
  name: string;
  image: string;
  outcome: 'running' | 'complete' | 'failed';
  ttlSeconds: number | undefined;
}

interface JobList {
  items: {
    metadata: { name: string };
    spec: {
      ttlSecondsAfterFinished?: number;
      template: { spec: { containers: { image: string }[] } };
    };
    status: { conditions?: Condition[] };
  }[];
}

export async function jobs(kubectl: Kubectl): Promise<JobState[]> {
  const { items } = await kubectl.get<JobList>(['jobs']);
  return items.map(({ metadata, spec, status }) => ({
    name: metadata.name,
    image: spec.template.spec.containers[0]?.image ?? '',
    outcome: hasCondition(status.conditions, 'Complete')
      ? 'complete'
      : hasCondition(status.conditions, 'Failed')
        ? 'failed'
        : 'running',
    ttlSeconds: spec.ttlSecondsAfterFinished,
  }));
}
