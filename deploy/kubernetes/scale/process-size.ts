import type { RenderedManifest } from '../release.ts';

/** What the manifests give the pods of a process, and how many there may be. */
export interface ProcessSize {
  name: string;
  minReplicas: number;
  maxReplicas: number;
  /** The autoscaler adds a pod when the pods use more than this on average. */
  busyCores: number;
  requestCores: number;
  requestMebibytes: number;
  poolMax: number;
}

/**
 * The sizes of every process that has an autoscaler, from the output of Kustomize. Errors: a
 * manifest lacks a figure.
 */
export function sizesOf(manifests: readonly RenderedManifest[]): ProcessSize[] {
  const of = (kind: string) => manifests.filter((each) => each.kind === kind);
  return of('HorizontalPodAutoscaler').map(({ name, text }) => {
    const pod = of('Deployment').find((each) => each.name === name)?.text ?? '';
    const find = (field: string, from: string, pattern: RegExp): string => {
      const [, value] = pattern.exec(from) ?? [];
      if (value === undefined) throw new Error(`the manifests of ${name} have no ${field}`);
      return value;
    };
    const requests = find('requests', pod, REQUESTS);
    return {
      name,
      minReplicas: Number(find('minReplicas', text, /^ {2}minReplicas: (\d+)$/m)),
      maxReplicas: Number(find('maxReplicas', text, /^ {2}maxReplicas: (\d+)$/m)),
      busyCores: coresIn(
        find('averageValue of CPU', text, /averageValue: (\S+)\n +type: AverageValue\n/),
      ),
      requestCores: coresIn(find('CPU request', requests, /cpu: (\S+)\n/)),
      requestMebibytes: mebibytesIn(find('memory request', requests, /memory: (\S+)\n/)),
      poolMax: Number(find('DATABASE_POOL_MAX', pod, /name: DATABASE_POOL_MAX\n +value: "(\d+)"/)),
    };
  });
}

/**
 * The connections that PostgreSQL accepts and the cores that it requests. Null if it is not one
 * `Cluster` of these manifests.
 */
export function postgresSizeOf(
  manifests: readonly RenderedManifest[],
): { connections: number; cores: number } | null {
  const [cluster, ...others] = manifests.filter(({ kind }) => kind === 'Cluster');
  if (cluster === undefined || others.length > 0) return null;
  const [, connections] = /max_connections: "(\d+)"/.exec(cluster.text) ?? [];
  const [, requests = ''] = REQUESTS.exec(cluster.text) ?? [];
  const [, cores = ''] = /cpu: (\S+)\n/.exec(requests) ?? [];
  return { connections: Number(connections), cores: coresIn(cores) };
}

const REQUESTS = /^ +requests:\n((?: +\S+: \S+\n)+)/m;

/** The quantities of Kubernetes that the manifests use: `500m`, `"2"`, `320Mi`, `1Gi`. */
function coresIn(quantity: string): number {
  const [, amount, isMilli] = /^"?(\d+(?:\.\d+)?)(m?)"?$/.exec(quantity) ?? [];
  return isMilli ? Number(amount) / 1000 : Number(amount);
}

function mebibytesIn(quantity: string): number {
  const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  return Number(amount) * (unit === 'Gi' ? 1024 : 1);
}
