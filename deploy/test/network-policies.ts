import { BlockList } from 'node:net';
import { type Labels, type Manifest, type Peer, type Rule, selects } from './manifests.ts';

export interface Pod {
  labels: Labels;
  namespace: string;
}

/** One end of a connection: a pod, or an address outside the cluster. */
export type End = Pod | { address: string };

export interface Port {
  port: number;
  protocol: 'TCP' | 'UDP';
}

export type Direction = 'Ingress' | 'Egress';

/**
 * The address of every pod. Network plugins differ in whether address ranges apply to pods; here
 * they do.
 */
const POD_ADDRESS = '10.244.0.10';

const addressOf = (end: End) => ('address' in end ? end.address : POD_ADDRESS);

/**
 * Returns whether the policies allow connections from `pod` to another end (`Egress`) or to `pod`
 * (`Ingress`). A pod that no policy of its namespace selects allows both. The other end is checked
 * separately.
 */
export function gateOf(
  manifests: Manifest[],
  direction: Direction,
  pod: Pod,
): (other: End, port: Port) => boolean {
  const own = manifests.filter(
    ({ kind, metadata, spec }) =>
      kind === 'NetworkPolicy' &&
      metadata.namespace === pod.namespace &&
      isAbout(direction, spec) &&
      selects(spec.podSelector ?? {}, pod.labels),
  );
  const rules = own.flatMap(({ spec }) =>
    direction === 'Ingress' ? (spec.ingress ?? []) : (spec.egress ?? []),
  );
  return (other, port) =>
    own.length === 0 ||
    rules.some(
      (rule) => allowsPort(rule, port) && allowsPeer(rule, direction, other, pod.namespace),
    );
}

/** Without `policyTypes` a policy applies to ingress, and to egress if it has egress rules. */
function isAbout(direction: Direction, { policyTypes, egress }: Manifest['spec']): boolean {
  return policyTypes?.includes(direction) ?? (direction === 'Ingress' || egress !== undefined);
}

/** A rule without ports, or with an entry without a number, matches all ports. */
function allowsPort({ ports = [] }: Rule, { port, protocol }: Port): boolean {
  if (ports.length === 0) return true;
  return ports.some((each) => {
    if ((each.protocol ?? 'TCP') !== protocol) return false;
    if (each.port === undefined) return true;
    // A port name has different numbers in different pods, so the manifests use numbers.
    if (typeof each.port === 'string') throw new Error(`port ${each.port} is not a number`);
    return each.port <= port && port <= (each.endPort ?? each.port);
  });
}

/** A rule without peers matches every end. */
function allowsPeer(rule: Rule, direction: Direction, other: End, namespace: string): boolean {
  const peers = (direction === 'Ingress' ? rule.from : rule.to) ?? [];
  return peers.length === 0 || peers.some((peer) => isPeer(peer, other, namespace));
}

/**
 * Matches pods of the policy's namespace, or with `namespaceSelector` pods of the selected
 * namespaces.
 */
function isPeer({ ipBlock, ...selectors }: Peer, other: End, namespace: string): boolean {
  if (ipBlock) {
    const isIn = (range: string) => contains(range, addressOf(other));
    return isIn(ipBlock.cidr) && !(ipBlock.except ?? []).some(isIn);
  }
  if ('address' in other) return false;
  const { podSelector = {}, namespaceSelector } = selectors;
  const inNamespace = namespaceSelector
    ? selects(namespaceSelector, { 'kubernetes.io/metadata.name': other.namespace })
    : other.namespace === namespace;
  return inNamespace && selects(podSelector, other.labels);
}

function contains(range: string, address: string): boolean {
  const [network = '', bits] = range.split('/');
  const list = new BlockList();
  const familyOf = (text: string) => (text.includes(':') ? 'ipv6' : 'ipv4');
  // A list would take `::/0` for all IPv4 addresses, too.
  if (familyOf(network) !== familyOf(address)) return false;
  list.addSubnet(network, Number(bits), familyOf(network));
  return list.check(address, familyOf(address));
}
