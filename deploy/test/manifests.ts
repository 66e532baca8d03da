import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { renderedFile } from '../kubernetes/render.ts';

/** The parts of a container that the rules are about. */
export interface Container {
  name: string;
  image: string;
  command?: string[];
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
  containers: Container[];
}

export interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
}

export interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string; except?: string[] };
}

export interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { port: number; protocol?: string }[];
}

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  spec: {
    selector?: Selector & Record<string, unknown>;
    template?: { metadata: { labels: Record<string, string> }; spec: PodSpec };
    strategy?: { rollingUpdate?: { maxUnavailable?: number; maxSurge?: number } };
    podSelector?: Selector;
    policyTypes?: string[];
    ingress?: Rule[];
    egress?: Rule[];
    minReplicas?: number;
    maxUnavailable?: number;
    scaleTargetRef?: { name: string };
    rules?: {
      http: { paths: { backend: { service: { name: string; port: { name: string } } } }[] };
    }[];
    backoffLimit?: number;
    activeDeadlineSeconds?: number;
  };
}

/** The committed manifests of an overlay. */
export const manifestsOf = (overlay: string): Manifest[] =>
  parseManifests(readFileSync(renderedFile(overlay), 'utf8'));

/** Errors: what YAML 1.2 does not allow, keys given twice included. */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS();
  });
}

/** Whether pods with `labels` are meant by `selector`; an empty one means all. */
export function selects(selector: Selector, labels: Record<string, string>): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  );
}

/** Whether the policies let a pod of these manifests open a connection to another: both ends have to agree. */
export function mayConnect(
  manifests: Manifest[],
  from: Record<string, string>,
  to: Record<string, string>,
  port: number,
): boolean {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec);
  const allows = (rule: Rule, peers: Peer[] | undefined, other: Record<string, string>) =>
    rule.ports?.some((each) => each.port === port) === true &&
    peers?.some(
      (peer) => !peer.namespaceSelector && peer.podSelector && selects(peer.podSelector, other),
    ) === true;
  const goesOut = policies.some(
    ({ podSelector, egress = [] }) =>
      selects(podSelector ?? {}, from) && egress.some((rule) => allows(rule, rule.to, to)),
  );
  const comesIn = policies.some(
    ({ podSelector, ingress = [] }) =>
      selects(podSelector ?? {}, to) && ingress.some((rule) => allows(rule, rule.from, from)),
  );
  return goesOut && comesIn;
}
