import { containerPorts, topology } from '@event-api/contracts/topology';
import { describe, expect, test } from 'vitest';
import { overlays } from '../kubernetes/render.ts';
import { type Labels, type Manifest, manifestsOf, type Rule } from './manifests.ts';
import { type End, gateOf, type Pod, type Port } from './network-policies.ts';

const NAMESPACE = 'event-api';
const pod = (labels: Labels, namespace = NAMESPACE): End => ({ labels, namespace });
const processPod = (name: string) =>
  pod({ 'app.kubernetes.io/name': name, 'event-api/role': 'process' });
const serverPorts = { postgres: 5432, nats: 4222, redis: 6379 };
const exporterPorts = { postgres: 9187, nats: 7777, redis: 9121 };
const serverNames = ['postgres', 'nats', 'redis'] as const;
const processes = topology.map(({ name }) => name);
/** Stand-ins for a payment provider and an identity provider. Only kind has them. */
const sandboxes = ['payment-sandbox', 'identity-sandbox'];
const otherNamespaces = [
  'envoy-gateway-system',
  'monitoring',
  'kube-system',
  'cnpg-system',
  'other-namespace',
];

/**
 * One end of each kind that the policies distinguish: pods of this and other namespaces, and
 * addresses.
 */
const ends: Record<string, End> = {
  ...Object.fromEntries([...processes, ...sandboxes].map((name) => [name, processPod(name)])),
  ...Object.fromEntries(serverNames.map((name) => [name, pod({ 'event-api/server': name })])),
  migration: pod({ 'event-api/role': 'migration' }),
  provisioning: pod({ 'event-api/role': 'provisioning' }),
  operator: pod({ 'event-api/role': 'operator' }),
  // Jobs of CloudNativePG have none of the labels of their cluster.
  join: pod({ 'cnpg.io/jobRole': 'join' }),
  recovery: pod({ 'cnpg.io/jobRole': 'full-recovery' }),
  unknown: pod({}),
  ...Object.fromEntries(otherNamespaces.map((name) => [name, pod({}, name)])),
  internet: { address: '198.51.100.7' },
  internet6: { address: '2001:db8::7' },
  neighbour: { address: '10.0.0.5' },
  neighbour6: { address: 'fd00::5' },
  loopback6: { address: '::1' },
  metadata: { address: '169.254.169.254' },
};
const insiders = Object.entries(ends).flatMap(([name, end]): [string, Pod][] =>
  'namespace' in end && end.namespace === NAMESPACE ? [[name, end]] : [],
);

/** The ports in use, and one that is not. */
const tcp = [
  53, 80, 443, 4222, 4318, 5432, 6379, 6443, 7777, 8000, 8080, 8443, 9090, 9121, 9187, 31_337,
];
const ports: Port[] = [
  ...tcp.map((port): Port => ({ port, protocol: 'TCP' })),
  { port: 53, protocol: 'UDP' },
];

const line = (from: string, to: string, port: number, protocol = 'TCP') =>
  `${from} > ${to} ${protocol} ${port}`;

const leaves = (connection: string) => `${connection} leaves`;
const enters = (connection: string) => `${connection} enters`;

/**
 * Everything that the policies of either end allow. A connection needs both ends. Each end is
 * listed separately, so that the tests find an end that allows too much.
 */
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

/** What the ends of a connection must allow. Ends outside this namespace have no policies. */
function bothEnds(connection: string): string[] {
  const [from = '', , to = ''] = connection.split(' ');
  const isInside = (name: string) => insiders.some(([inside]) => inside === name);
  return [
    ...(isInside(from) ? [leaves(connection)] : []),
    ...(isInside(to) ? [enters(connection)] : []),
  ];
}

/** The connections of every overlay, from the topology. */
function needed(): string[] {
  const ofProcesses = topology.flatMap(({ name, callsApi, callsInternal, servers }) => [
    ...callsApi.map((other) => line(name, other, containerPorts.api)),
    ...callsInternal.map((other) => line(name, other, containerPorts.internal)),
    ...servers.map((other) => line(name, other, serverPorts[other])),
    line('operator', name, 9090),
    line('monitoring', name, 9090),
  ]);
  return [
    ...ofProcesses,
    ...[...processes, ...sandboxes].map((name) => line(name, 'monitoring', 4318)),
    ...insiders.flatMap(([name]) => [
      line(name, 'kube-system', 53),
      line(name, 'kube-system', 53, 'UDP'),
    ]),
    line('envoy-gateway-system', 'gateway', 8080),
    line('envoy-gateway-system', 'console', 8080),
    // Webhooks.
    ...['internet', 'internet6'].flatMap((address) =>
      [443, 8443].map((port) => line('changes', address, port)),
    ),
    line('migration', 'postgres', 5432),
    line('provisioning', 'postgres', 5432),
    line('provisioning', 'nats', 4222),
    line('operator', 'redis', 6379),
  ];
}

/** Additional connections of an overlay. */
const additional: Record<(typeof overlays)[number], string[]> = {
  kind: [
    line('commerce', 'payment-sandbox', 8080),
    line('payment-sandbox', 'gateway', 8080),
    line('console', 'identity-sandbox', 8080),
  ],
  production: [
    line('commerce', 'internet', 443),
    line('console', 'internet', 443),
    line('cnpg-system', 'postgres', 5432),
    line('cnpg-system', 'postgres', 8000),
    line('join', 'postgres', 5432),
    ...serverNames.map((name) => line('monitoring', name, exporterPorts[name])),
    // Replication between the replicas.
    ...serverNames.flatMap((name) =>
      ports.map(({ port, protocol }) => line(name, name, port, protocol)),
    ),
  ],
};

/** What only one end allows: rules with roles instead of names, and address ranges. */
const halves: Record<(typeof overlays)[number], string[]> = {
  kind: [],
  production: [
    // The API server and backups, at any address.
    ...Object.keys(ends)
      .filter((name) => !['metadata', 'internet6', 'neighbour6', 'loopback6'].includes(name))
      .flatMap((name) =>
        ['postgres', 'join', 'recovery'].flatMap((from) =>
          [443, 6443].map((port) => leaves(line(from, name, port))),
        ),
      ),
    // The job of a restore has no reason to, and the server does not let it in.
    leaves(line('recovery', 'postgres', 5432)),
  ],
};
const jobsOf = {
  postgres: ['migration', 'provisioning'],
  nats: ['provisioning'],
  redis: ['operator'],
};
const commonHalves = [
  ...sandboxes.map((name) => leaves(line('operator', name, 9090))),
  ...serverNames.flatMap((server) =>
    [...processes, ...sandboxes, ...jobsOf[server]].map((name) =>
      enters(line(name, server, serverPorts[server])),
    ),
  ),
];

describe.each(overlays)('network policies of overlay %s', (overlay) => {
  const manifests = manifestsOf(overlay);
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');

  test('deny both directions to pods without another policy', () => {
    const deny = policies.find(({ metadata }) => metadata.name === 'default-deny');
    expect(deny?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });

  test('allow exactly the connections of the topology', () => {
    const connections = [...needed(), ...additional[overlay]];
    const expected = [...connections.flatMap(bothEnds), ...commonHalves, ...halves[overlay]];
    expect(allowed(manifests).toSorted()).toEqual([...new Set(expected)].toSorted());
  });

  test('deny the metadata address of cloud providers', () => {
    expect(allowed(manifests).filter((connection) => connection.includes('> metadata '))).toEqual(
      [],
    );
  });

  test('contain no redundant policy', () => {
    const all = allowed(manifests);
    const useless = policies.filter((policy) => {
      const remaining = allowed(manifests.filter((manifest) => manifest !== policy));
      return remaining.join() === all.join();
    });
    expect(useless.map(({ metadata }) => metadata.name)).toEqual([]);
  });

  test('contain only the expected address ranges', () => {
    const ranges = policies.flatMap(({ metadata, spec }) =>
      [...(spec.ingress ?? []), ...(spec.egress ?? [])]
        .flatMap(({ from = [], to = [] }: Rule) => [...from, ...to])
        .flatMap(({ ipBlock }) => (ipBlock ? [{ of: metadata.name, ...ipBlock }] : [])),
    );
    const webhooks = {
      ipv4: [
        ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
        ...['172.16.0.0/12', '192.168.0.0/16', '224.0.0.0/4', '240.0.0.0/4'],
      ],
      ipv6: [
        ...['::/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16'],
        ...['fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
      ],
    };
    const inside = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'];
    const inAll = [
      { of: 'changes-egress', cidr: '0.0.0.0/0', except: webhooks.ipv4 },
      { of: 'changes-egress', cidr: '::/0', except: webhooks.ipv6 },
    ];
    const inProduction = [
      { of: 'identity-provider', cidr: '0.0.0.0/0', except: inside },
      { of: 'payment-provider', cidr: '0.0.0.0/0', except: inside },
      { of: 'postgres', cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] },
      { of: 'postgres-jobs', cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] },
    ];
    const byPolicy = (one: { of: string }, other: { of: string }) => one.of.localeCompare(other.of);
    expect(ranges.toSorted(byPolicy)).toEqual(
      overlay === 'production' ? [...inAll, ...inProduction] : inAll,
    );
  });
});

describe('the check reports a policy that allows too much', () => {
  const manifests = manifestsOf('production');
  const before = new Set(allowed(manifests));
  const catalog = { matchLabels: { 'app.kubernetes.io/name': 'catalog' } };
  const gateway = { podSelector: { matchLabels: { 'app.kubernetes.io/name': 'gateway' } } };

  /** Connections that an additional policy for catalog allows. */
  function opened(rules: { ingress?: Rule[]; egress?: Rule[] }): string[] {
    const bad: Manifest = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'bad', namespace: NAMESPACE },
      spec: { podSelector: catalog, ...rules },
    };
    return allowed([...manifests, bad]).filter((each) => !before.has(each));
  }

  test.each([{}, { from: [] }])('if a rule without peers matches every end: %j', (rule) => {
    expect(opened({ ingress: [{ ...rule, ports: [{ port: 9090 }] }] })).toEqual(
      expect.arrayContaining([
        enters(line('internet', 'catalog', 9090)),
        enters(line('other-namespace', 'catalog', 9090)),
        enters(line('unknown', 'catalog', 9090)),
      ]),
    );
  });

  test('if it selects all namespaces', () => {
    const ports = [{ port: 9090 }];
    const all = opened({ ingress: [{ from: [{ namespaceSelector: {} }], ports }] });
    expect(all).toContain(enters(line('other-namespace', 'catalog', 9090)));
    expect(all).not.toContain(enters(line('internet', 'catalog', 9090)));
    const narrowed = [{ namespaceSelector: {}, ...gateway }];
    expect(opened({ ingress: [{ from: narrowed, ports }] })).toEqual([
      enters(line('gateway', 'catalog', 9090)),
    ]);
  });

  test('if a rule without ports matches all ports', () => {
    const all = opened({ ingress: [{ from: [gateway] }] });
    expect(all).toContain(enters(line('gateway', 'catalog', 9090)));
    expect(all).toContain(enters(line('gateway', 'catalog', 31_337)));
    const udp = opened({ ingress: [{ from: [gateway], ports: [{ protocol: 'UDP' }] }] });
    expect(udp).toEqual([enters(line('gateway', 'catalog', 53, 'UDP'))]);
  });

  test('if it has a port range', () => {
    expect(
      opened({ ingress: [{ from: [gateway], ports: [{ port: 8000, endPort: 9100 }] }] }),
    ).toEqual([8000, 8443, 9090].map((port) => enters(line('gateway', 'catalog', port))));
  });

  test('if it allows all egress', () => {
    const all = opened({ egress: [{}] });
    expect(all).toContain(leaves(line('catalog', 'metadata', 80)));
    expect(all).toContain(leaves(line('catalog', 'internet', 31_337)));
  });

  test('if an address range is too wide', () => {
    const to = [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] } }];
    expect(opened({ egress: [{ to, ports: [{ port: 80 }] }] })).toEqual([
      leaves(line('catalog', 'internet', 80)),
      leaves(line('catalog', 'metadata', 80)),
    ]);
  });
});
