/** In how many zones the nodes are, one in each. */
export const zones = ['a', 'b', 'c'] as const;

export const nodeNames = zones.map((zone) => `node-${zone}`);

/** A process may say that it is ready: its pod has this annotation (schema-wait.ts). */
export const MAY_BE_READY = 'cluster-test/may-be-ready';

/** The migration in an image whose digest begins with these digits fails. */
export const FAILING_DIGEST = 'bad0';

export const nodes = {
  apiVersion: 'v1',
  kind: 'List',
  items: zones.map((zone) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: `node-${zone}`,
      labels: {
        'kubernetes.io/hostname': `node-${zone}`,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'topology.kubernetes.io/zone': zone,
      },
    },
    status: {
      allocatable: { cpu: '16', memory: '64Gi', 'ephemeral-storage': '200Gi', pods: '110' },
      capacity: { cpu: '16', memory: '64Gi', 'ephemeral-storage': '200Gi', pods: '110' },
    },
  })),
};

type Expression = { key: string; operator: string; values?: string[] };

const isAlive: Expression = { key: '.metadata.deletionTimestamp', operator: 'DoesNotExist' };
const isInPhase = (phase: string): Expression => ({
  key: '.status.phase',
  operator: 'In',
  values: [phase],
});
const isOwnedByJob = (operator: 'In' | 'NotIn'): Expression => ({
  key: '.metadata.ownerReferences.[].kind',
  operator,
  values: ['Job'],
});
const isFailing = (value: 'true' | 'false'): Expression => ({
  key: `.spec.containers.[0].image | test("@sha256:${FAILING_DIGEST}") | tostring`,
  operator: 'In',
  values: [value],
});

/** How a pod goes on: `delayMs` after all expressions hold, its status becomes `status`. */
const stage = (
  name: string,
  selected: Expression[],
  next: { status: string; delayMs?: number } | 'delete',
) => ({
  apiVersion: 'kwok.x-k8s.io/v1alpha1',
  kind: 'Stage',
  metadata: { name },
  spec: {
    resourceRef: { apiGroup: 'v1', kind: 'Pod' },
    selector: { matchExpressions: selected },
    ...(next !== 'delete' &&
      next.delayMs !== undefined && { delay: { durationMilliseconds: next.delayMs } }),
    next: next === 'delete' ? { delete: true } : { statusTemplate: next.status },
  },
});

/** The status of a pod, all of whose containers are in the same state. */
const statusOf = (phase: string, { ready, state }: { ready: boolean; state: string }) => `
{{ $now := Now }}
phase: ${phase}
hostIP: "127.0.0.1"
podIP: {{ PodIPWith .spec.nodeName false .metadata.uid .metadata.name .metadata.namespace | Quote }}
startTime: {{ $now | Quote }}
conditions:
{{ range $type, $status := dict "Initialized" "True" "ContainersReady" "${ready ? 'True' : 'False'}" "Ready" "${ready ? 'True' : 'False'}" }}
- type: {{ $type | Quote }}
  status: {{ $status | Quote }}
  lastTransitionTime: {{ $now | Quote }}
{{ end }}
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  ready: ${ready}
  restartCount: 0
  state:
    ${state}
{{ end }}
`;

const running = 'running: { startedAt: {{ $now | Quote }} }';
const terminated = (exitCode: number) =>
  `terminated: { exitCode: ${exitCode}, reason: ${exitCode === 0 ? 'Completed' : 'Error'}, startedAt: {{ $now | Quote }}, finishedAt: {{ $now | Quote }} }`;

/**
 * What the nodes say of their pods: a job runs for two seconds and then succeeds, or fails with a
 * failing image; everything else runs, and is ready once it may be.
 */
const stages = [
  stage('delete', [{ key: '.metadata.deletionTimestamp', operator: 'Exists' }], 'delete'),
  stage('start', [isAlive, isInPhase('Pending')], {
    status: statusOf('Running', { ready: false, state: running }),
  }),
  stage('succeed', [isAlive, isInPhase('Running'), isOwnedByJob('In'), isFailing('false')], {
    status: statusOf('Succeeded', { ready: false, state: terminated(0) }),
    delayMs: 2000,
  }),
  stage('fail', [isAlive, isInPhase('Running'), isOwnedByJob('In'), isFailing('true')], {
    status: statusOf('Failed', { ready: false, state: terminated(1) }),
    delayMs: 2000,
  }),
  stage(
    'become-ready',
    [
      isAlive,
      isInPhase('Running'),
      isOwnedByJob('NotIn'),
      { key: `.metadata.annotations["${MAY_BE_READY}"]`, operator: 'Exists' },
      {
        key: '.status.conditions.[] | select( .type == "Ready" ) | .status',
        operator: 'NotIn',
        values: ['True'],
      },
    ],
    { status: statusOf('Running', { ready: true, state: running }), delayMs: 500 },
  ),
];

/** A node becomes ready at once. */
const nodeStage = {
  apiVersion: 'kwok.x-k8s.io/v1alpha1',
  kind: 'Stage',
  metadata: { name: 'node-ready' },
  spec: {
    resourceRef: { apiGroup: 'v1', kind: 'Node' },
    selector: {
      matchExpressions: [
        {
          key: '.status.conditions.[] | select( .type == "Ready" ) | .status',
          operator: 'NotIn',
          values: ['True'],
        },
      ],
    },
    next: {
      statusTemplate: `
{{ $now := Now }}
phase: Running
addresses:
- { type: InternalIP, address: {{ NodeIP | Quote }} }
- { type: Hostname, address: {{ .metadata.name | Quote }} }
daemonEndpoints: { kubeletEndpoint: { Port: {{ NodePort }} } }
allocatable:
{{ YAML .status.allocatable 1 }}
capacity:
{{ YAML .status.capacity 1 }}
conditions:
{{ range NodeConditions }}
- type: {{ .type | Quote }}
  status: {{ .status | Quote }}
  reason: {{ .reason | Quote }}
  message: {{ .message | Quote }}
  lastHeartbeatTime: {{ $now | Quote }}
  lastTransitionTime: {{ $now | Quote }}
{{ end }}
nodeInfo:
  architecture: amd64
  operatingSystem: linux
  bootID: ""
  containerRuntimeVersion: kwok
  kernelVersion: kwok
  kubeProxyVersion: kwok
  kubeletVersion: kwok
  machineID: ""
  osImage: ""
  systemUUID: ""
`,
    },
  },
};

/** The configuration of kwok. Every pod has the contents of `logFile` as its log. */
export const nodeSettings = ({ logFile }: { logFile: string }): string =>
  [
    nodeStage,
    ...stages,
    {
      apiVersion: 'kwok.x-k8s.io/v1alpha1',
      kind: 'ClusterLogs',
      metadata: { name: 'pods' },
      spec: { logs: [{ logsFile: logFile }] },
    },
  ]
    .map((document) => JSON.stringify(document))
    .join('\n---\n');
