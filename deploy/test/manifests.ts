import { parseAllDocuments } from 'yaml';
import { readRendered } from '../kubernetes/render.ts';

/** The parts of a container that the tests use. */
export interface Container {
  name: string;
  image: string;
  command?: string[];
  args?: string[];
  env?: {
    name: string;
    value?: string;
    valueFrom?: { secretKeyRef?: { name: string; key: string } };
  }[];
  ports?: { name?: string; containerPort: number }[];
  lifecycle?: { preStop?: { sleep?: { seconds: number } } };
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    readOnlyRootFilesystem?: boolean;
    capabilities?: { drop?: string[] };
  };
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  volumeMounts?: { name: string; mountPath: string }[];
}

interface Probe {
  httpGet?: { path: string; port: string };
}

export interface PodSpec {
  automountServiceAccountToken?: boolean;
  hostNetwork?: boolean;
  terminationGracePeriodSeconds?: number;
  securityContext?: { runAsNonRoot?: boolean; seccompProfile?: { type: string } };
  topologySpreadConstraints?: { topologyKey: string; labelSelector: Selector }[];
  volumes?: {
    name: string;
    emptyDir?: { sizeLimit?: string };
    secret?: { secretName: string };
    projected?: { sources: { secret: { name: string; items: { key: string; path: string }[] } }[] };
  }[];
  containers: Container[];
}

export type Labels = Record<string, string>;

export interface Selector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

export interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string; except?: string[] };
}

export interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { port?: number | string; endPort?: number; protocol?: string }[];
}

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  spec: {
    selector?: Selector & Record<string, unknown>;
    template?: { metadata: { labels: Record<string, string> }; spec: PodSpec };
    strategy?: { rollingUpdate?: { maxUnavailable?: number; maxSurge?: number } };
    podSelector?: Selector;
    policyTypes?: string[];
    ingress?: Rule[];
    egress?: Rule[];
    replicas?: number;
    minReplicas?: number;
    maxReplicas?: number;
    metrics?: {
      resource?: { name: string; target: { type: string; averageValue?: string } };
      pods?: { metric: { name: string } };
    }[];
    behavior?: object;
    maxUnavailable?: number;
    scaleTargetRef?: { name: string };
    hostnames?: string[];
    /** Of an HTTPRoute. */
    rules?: { backendRefs: { name: string; port: number }[] }[];
    type?: string;
    ports?: { name: string; port: number; nodePort?: number }[];
    /** Of CloudNativePG's Cluster. */
    postgresql?: {
      parameters: Record<string, string>;
      synchronous?: { number: number; dataDurability: string; failoverQuorum: boolean };
    };
    instances?: number;
    storage?: { size: string };
    walStorage?: { size: string };
    topologySpreadConstraints?: object[];
    resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
    inheritedMetadata?: { labels: Labels };
    plugins?: { name: string; isWALArchiver?: boolean; parameters?: Record<string, string> }[];
    backoffLimit?: number;
    activeDeadlineSeconds?: number;
    ttlSecondsAfterFinished?: number;
    progressDeadlineSeconds?: number;
  };
}

/** The committed manifests of an overlay. */
export const manifestsOf = (overlay: string): Manifest[] => parseManifests(readRendered(overlay));

/** The name without the hash of the content that Kustomize adds to that of a Job. */
export const baseNameOf = ({ kind, metadata }: Manifest): string =>
  kind === 'Job' ? metadata.name.replace(/-[a-z0-9]{10}$/, '') : metadata.name;

export const nameOf = (manifest: Manifest): string => `${manifest.kind} ${baseNameOf(manifest)}`;

export const sortedByName = (list: Manifest[]): Manifest[] =>
  list.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));

/** Errors: invalid YAML 1.2, including duplicate keys. */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS();
  });
}

/** Whether `selector` matches `labels`. An empty selector matches everything. */
export function selects(selector: Selector, labels: Labels): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every((expression) => holds(expression, labels))
  );
}

function holds(
  { key, operator, values = [] }: NonNullable<Selector['matchExpressions']>[number],
  labels: Labels,
): boolean {
  const value = labels[key];
  const isListed = value !== undefined && values.includes(value);
  const results: Record<string, boolean> = {
    In: isListed,
    NotIn: !isListed,
    Exists: value !== undefined,
    DoesNotExist: value === undefined,
  };
  return results[operator] ?? false;
}
