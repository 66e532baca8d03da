import { describe, expect, test } from 'vitest';
import { overlays } from '../kubernetes/render.ts';
import { topology } from '../topology.ts';
import { type Labels, type Manifest, manifestsOf, type Rule } from './manifests.ts';
import { type End, gateOf, type Pod, type Port } from './network-policies.ts';

const NAMESPACE = 'event-api';
const pod = (labels: Labels, namespace = NAMESPACE): End => ({ labels, namespace });
const processPod = (name: string) =>
  pod({ 'app.kubernetes.io/name': name, 'event-api/role': 'process' });
const serverPorts = { postgres: 5432, nats: 4222, redis: 6379 };
const serverNames = ['postgres', 'nats', 'redis'] as const;
const processes = topology.map(({ name }) => name);
const otherNamespaces = [
  'ingress-nginx',
  'monitoring',
  'kube-system',
  'cnpg-system',
  'somebody-else',
];

/** Everybody whom the rules tell apart: pods of ours, of other namespaces, and addresses. */
const ends: Record<string, End> = {
  ...Object.fromEntries([...processes, 'payment-sandbox'].map((name) => [name, processPod(name)])),
  ...Object.fromEntries(serverNames.map((name) => [name, pod({ 'event-api/server': name })])),
  migration: pod({ 'event-api/role': 'migration' }),
  operator: pod({ 'event-api/role': 'operator' }),
  unknown: pod({}),
  ...Object.fromEntries(otherNamespaces.map((name) => [name, pod({}, name)])),
  internet: { address: '198.51.100.7' },
  neighbour: { address: '10.0.0.5' },
  metadata: { address: '169.254.169.254' },
};
const insiders = Object.entries(ends).flatMap(([name, end]): [string, Pod][] =>
  'namespace' in end && end.namespace === NAMESPACE ? [[name, end]] : [],
);

/** Those that mean something to somebody, and one that means nothing. */
const tcp = [53, 80, 443, 4222, 4318, 5432, 6379, 6443, 8000, 8080, 9090, 31_337];
const ports: Port[] = [
  ...tcp.map((port): Port => ({ port, protocol: 'TCP' })),
  { port: 53, protocol: 'UDP' },
];

const line = (from: string, to: string, port: number, protocol = 'TCP') =>
  `${from} > ${to} ${protocol} ${port}`;

const leaves = (connection: string) => `${connection} leaves`;
const enters = (connection: string) => `${connection} enters`;

/** All that the policies of either end allow. A connection is made when it leaves and enters; one end alone that allows
 *  too much is found as well. */
function allowed(manifests: Manifest[]): string[] {
  return insiders.flatMap(([name, pod]) => {
    const letsOut = gateOf(manifests, 'Egress', pod);
    const letsIn = gateOf(manifests, 'Ingress', pod);
    return Object.entries(ends).flatMap(([otherName, other]) =>
      ports.flatMap((port) => [
        ...(letsOut(other, port) ? [leaves(line(name, otherName, port.port, port.protocol))] : []),
        ...(letsIn(other, port) ? [enters(line(otherName, name, port.port, port.protocol))] : []),
      ]),
    );
  });
}

/** What both ends have to allow, where they are of this namespace. */
function bothEnds(connection: string): string[] {
  const [from = '', , to = ''] = connection.split(' ');
  const isInside = (name: string) => insiders.some(([inside]) => inside === name);
  return [
    ...(isInside(from) ? [leaves(connection)] : []),
    ...(isInside(to) ? [enters(connection)] : []),
  ];
}

/** What every overlay needs, by the topology. */
function needed(): string[] {
  const ofProcesses = topology.flatMap(({ name, callsApi, callsInternal, servers }) => [
    ...callsApi.map((other) => line(name, other, 8080)),
    ...callsInternal.map((other) => line(name, other, 9090)),
    ...servers.map((other) => line(name, other, serverPorts[other])),
    line('operator', name, 9090),
    line('monitoring', name, 9090),
  ]);
  return [
    ...ofProcesses,
    ...[...processes, 'payment-sandbox'].map((name) => line(name, 'monitoring', 4318)),
    ...insiders.flatMap(([name]) => [
      line(name, 'kube-system', 53),
      line(name, 'kube-system', 53, 'UDP'),
    ]),
    line('ingress-nginx', 'gateway', 8080),
    line('migration', 'postgres', 5432),
    line('operator', 'redis', 6379),
  ];
}

/** What an overlay needs besides; only kind has a sandbox for payments. */
const additional: Record<(typeof overlays)[number], string[]> = {
  kind: [
    line('commerce', 'payment-sandbox', 8080),
    line('payment-sandbox', 'gateway', 8080),
    line('ingress-nginx', 'payment-sandbox', 8080),
  ],
  production: [
    line('commerce', 'internet', 443),
    line('cnpg-system', 'postgres', 5432),
    line('cnpg-system', 'postgres', 8000),
    // Replicas of each other.
    ...serverNames.flatMap((name) =>
      ports.map(({ port, protocol }) => line(name, name, port, protocol)),
    ),
  ],
};

/** What one end allows and the other does not: rules that know roles instead of names, and ranges of addresses. */
const halves: Record<(typeof overlays)[number], string[]> = {
  kind: [],
  // The API server and backups, wherever they are.
  production: Object.keys(ends)
    .filter((name) => name !== 'metadata')
    .flatMap((name) => [443, 6443].map((port) => leaves(line('postgres', name, port)))),
};
const commonHalves = [
  leaves(line('operator', 'payment-sandbox', 9090)),
  ...serverNames.flatMap((server) =>
    [...processes, 'payment-sandbox', 'migration', 'operator'].map((name) =>
      enters(line(name, server, serverPorts[server])),
    ),
  ),
];

describe.each(overlays)('the network policies of overlay %s', (overlay) => {
  const manifests = manifestsOf(overlay);
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');

  test('deny both directions to whoever has no other', () => {
    const deny = policies.find(({ metadata }) => metadata.name === 'default-deny');
    expect(deny?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });

  test('let everybody reach whom they need and nobody else', () => {
    const connections = [...needed(), ...additional[overlay]];
    const expected = [...connections.flatMap(bothEnds), ...commonHalves, ...halves[overlay]];
    expect(allowed(manifests).toSorted()).toEqual([...new Set(expected)].toSorted());
  });

  test('keep everybody from the address at which a cloud hands out credentials', () => {
    expect(allowed(manifests).filter((each) => each.includes('> metadata '))).toEqual([]);
  });

  test('are all of use: without any of them somebody reaches less, or more', () => {
    const all = allowed(manifests);
    const useless = policies.filter((policy) => {
      const left = allowed(manifests.filter((each) => each !== policy));
      return left.join() === all.join();
    });
    expect(useless.map(({ metadata }) => metadata.name)).toEqual([]);
  });

  test('name no more ranges of addresses than these', () => {
    const ranges = policies.flatMap(({ metadata, spec }) =>
      [...(spec.ingress ?? []), ...(spec.egress ?? [])]
        .flatMap(({ from = [], to = [] }: Rule) => [...from, ...to])
        .flatMap(({ ipBlock }) => (ipBlock ? [{ of: metadata.name, ...ipBlock }] : [])),
    );
    const inside = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'];
    const expected = [
      { of: 'payment-provider', cidr: '0.0.0.0/0', except: inside },
      { of: 'postgres', cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] },
    ];
    expect(ranges).toEqual(overlay === 'production' ? expected : []);
  });
});

describe('a policy that opens too much is seen', () => {
  const manifests = manifestsOf('production');
  const before = new Set(allowed(manifests));
  const catalog = { matchLabels: { 'app.kubernetes.io/name': 'catalog' } };
  const gateway = { podSelector: { matchLabels: { 'app.kubernetes.io/name': 'gateway' } } };

  /** What a policy for catalog opens that was closed. */
  function opened(rules: { ingress?: Rule[]; egress?: Rule[] }): string[] {
    const bad: Manifest = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'bad', namespace: NAMESPACE },
      spec: { podSelector: catalog, ...rules },
    };
    return allowed([...manifests, bad]).filter((each) => !before.has(each));
  }

  test.each([{}, { from: [] }])('when it names nobody, and means everybody: %j', (rule) => {
    expect(opened({ ingress: [{ ...rule, ports: [{ port: 9090 }] }] })).toEqual(
      expect.arrayContaining([
        enters(line('internet', 'catalog', 9090)),
        enters(line('somebody-else', 'catalog', 9090)),
        enters(line('unknown', 'catalog', 9090)),
      ]),
    );
  });

  test('when it selects all namespaces', () => {
    const ports = [{ port: 9090 }];
    const all = opened({ ingress: [{ from: [{ namespaceSelector: {} }], ports }] });
    expect(all).toContain(enters(line('somebody-else', 'catalog', 9090)));
    expect(all).not.toContain(enters(line('internet', 'catalog', 9090)));
    const narrowed = [{ namespaceSelector: {}, ...gateway }];
    expect(opened({ ingress: [{ from: narrowed, ports }] })).toEqual([
      enters(line('gateway', 'catalog', 9090)),
    ]);
  });

  test('when it names no port, and means all of them', () => {
    const all = opened({ ingress: [{ from: [gateway] }] });
    expect(all).toContain(enters(line('gateway', 'catalog', 9090)));
    expect(all).toContain(enters(line('gateway', 'catalog', 31_337)));
    const udp = opened({ ingress: [{ from: [gateway], ports: [{ protocol: 'UDP' }] }] });
    expect(udp).toEqual([enters(line('gateway', 'catalog', 53, 'UDP'))]);
  });

  test('when it names a range of ports', () => {
    expect(
      opened({ ingress: [{ from: [gateway], ports: [{ port: 8000, endPort: 9999 }] }] }),
    ).toEqual([enters(line('gateway', 'catalog', 8000)), enters(line('gateway', 'catalog', 9090))]);
  });

  test('when it lets everything out', () => {
    const all = opened({ egress: [{}] });
    expect(all).toContain(leaves(line('catalog', 'metadata', 80)));
    expect(all).toContain(leaves(line('catalog', 'internet', 31_337)));
  });

  test('when it names a range of addresses that holds too much', () => {
    const to = [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] } }];
    expect(opened({ egress: [{ to, ports: [{ port: 80 }] }] })).toEqual([
      leaves(line('catalog', 'internet', 80)),
      leaves(line('catalog', 'metadata', 80)),
    ]);
  });
});
