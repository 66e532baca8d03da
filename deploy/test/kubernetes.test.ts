import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxClientId } from '@event-api/contracts/identity-sandbox';
import { containerPorts, processOfUrlSetting, topology } from '@event-api/contracts/topology';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { overlays, render } from '../kubernetes/render.ts';
import { contentsOf } from '../secrets/contents.ts';
import { secretManifests } from '../secrets/manifests.ts';
import { completeStore } from '../secrets/store.ts';
import { root } from './image-tree.ts';
import {
  baseNameOf,
  type Container,
  type Manifest,
  manifestsOf,
  parseManifests,
  selects,
  sortedByName,
} from './manifests.ts';
import { settingsOf } from './settings.ts';

const DRAIN_SECONDS = 10;

const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The metrics of queues that scale a process beside its CPU. */
const queues: Record<string, string> = {
  onsite: 'onsite_checkins_queued',
  registration: 'registration_admission_queued',
};

describe.each(overlays)('overlay %s', (overlay) => {
  const manifests = manifestsOf(overlay);
  const ofKind = (kind: string) => manifests.filter((each) => each.kind === kind);
  const deployments = ofKind('Deployment');
  const ours = [...deployments, ...ofKind('Job')];
  const withPods = [...ours, ...ofKind('StatefulSet')];
  const podOf = ({ spec }: Manifest) => spec.template?.spec ?? { containers: [] };
  const containersOf = (list: Manifest[]): Container[] =>
    list.flatMap((each) => podOf(each).containers);
  const find = (kind: string, name: string) =>
    ofKind(kind).find((each) => baseNameOf(each) === name);

  test('equals its rendered sources if kubectl or kustomize is installed', () => {
    const rendered = render(overlay);
    if (rendered === undefined) return;
    expect(sortedByName(parseManifests(rendered))).toEqual(sortedByName(manifests));
  });

  const nodePorts = () =>
    ofKind('Service').flatMap(({ metadata, spec }) =>
      (spec.ports ?? []).flatMap(({ port, nodePort }) =>
        nodePort === undefined ? [] : [{ of: metadata.name, port, nodePort }],
      ),
    );

  test('runs every process, and migrates each schema once', () => {
    const names = deployments.map(({ metadata }) => metadata.name);
    expect(names).toEqual(expect.arrayContaining(topology.map(({ name }) => name)));
    for (const { name } of topology) {
      const commandOf = (kind: string, of: string) =>
        containersOf([find(kind, of) as Manifest])[0]?.command;
      expect(commandOf('Deployment', name)).toEqual(['node', 'src/main.ts']);
      expect(commandOf('Job', `migrate-${name}`)).toEqual(['node', 'src/migrate.ts']);
    }
  });

  test.each(topology)(
    'gives $name the address that other processes call by default',
    ({ name }) => {
      const ports = (find('Service', name)?.spec as { ports?: { name: string; port: number }[] })
        ?.ports;
      expect(Object.fromEntries((ports ?? []).map(({ name, port }) => [name, port]))).toEqual(
        containerPorts,
      );
    },
  );

  test('runs all pods in the restricted security profile', () => {
    const namespace = ofKind('Namespace')[0]?.metadata.labels ?? {};
    expect(namespace['pod-security.kubernetes.io/enforce']).toBe('restricted');
    for (const each of withPods) {
      const pod = podOf(each);
      expect(pod, each.metadata.name).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(pod.hostNetwork).toBeUndefined();
      for (const container of pod.containers) {
        expect(container.securityContext, each.metadata.name).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });

  test('gives every container an ephemeral /tmp, a small one in processes of the platform', () => {
    for (const each of withPods) {
      const { volumes = [], containers } = podOf(each);
      for (const { volumeMounts = [] } of containers) {
        const name = volumeMounts.find(({ mountPath }) => mountPath === '/tmp')?.name;
        const tmp = volumes.find((volume) => volume.name === name)?.emptyDir;
        expect(tmp, each.metadata.name).toEqual(ours.includes(each) ? { sizeLimit: '64Mi' } : {});
      }
    }
  });

  test('runs each process and its migration from its own image, in production pinned by digest', () => {
    const imagesOf = (kind: string, name: string) =>
      containersOf([find(kind, name) as Manifest]).map(({ image }) => image);
    for (const { name } of topology) {
      const [image = ''] = imagesOf('Deployment', name);
      expect(image).toMatch(
        overlay === 'production'
          ? new RegExp(`^[\\w.-]+/event-api-${name}@sha256:[0-9a-f]{64}$`)
          : new RegExp(`^event-api-${name}:local$`),
      );
      expect(imagesOf('Job', `migrate-${name}`)).toEqual([image]);
    }
    const others = ours.filter(
      (each) => !topology.some(({ name }) => baseNameOf(each).endsWith(name)),
    );
    const found = others.map((each) => [baseNameOf(each), podOf(each).containers[0]?.image]);
    expect(Object.fromEntries(found)).toEqual(
      overlay === 'kind'
        ? {
            'identity-sandbox': 'event-api-identity-sandbox:local',
            'payment-sandbox': 'event-api-payment-sandbox:local',
            provision: 'event-api-tools:local',
          }
        : { provision: expect.stringMatching(/^[\w.-]+\/event-api-tools@sha256:[0-9a-f]{64}$/) },
    );
  });

  test('probes liveness and readiness of processes on their internal port', () => {
    for (const container of containersOf(deployments)) {
      expect(container.livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'internal' });
      expect(container.startupProbe?.httpGet).toEqual({ path: '/healthz', port: 'internal' });
      expect(container.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'internal' });
      const port = container.ports?.find(({ name }) => name === 'internal')?.containerPort;
      expect(container.env).toContainEqual({ name: 'INTERNAL_PORT', value: String(port) });
    }
  });

  test('names a job by its content, because a job cannot be changed, and deletes finished ones', () => {
    const names = ofKind('Job').map(({ metadata }) => metadata.name);
    expect(names.filter((name) => !/-[a-z0-9]{10}$/.test(name))).toEqual([]);
    for (const { metadata, spec } of ofKind('Job')) {
      expect(metadata.name.length).toBeLessThan(63);
      expect(spec.ttlSecondsAfterFinished).toBeGreaterThan(24 * 3600);
      expect(metadata.annotations, metadata.name).toMatchObject({
        'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
      });
    }
  });

  test('lets a process wait for its migration for as long as that may take', () => {
    const longest = Math.max(...ofKind('Job').map(({ spec }) => spec.activeDeadlineSeconds ?? 0));
    for (const { metadata, spec } of deployments)
      expect(spec.progressDeadlineSeconds, metadata.name).toBeGreaterThan(longest);
  });

  test('provisions the servers with as many replicas of the stream as NATS has', () => {
    const [container] = containersOf([find('Job', 'provision') as Manifest]);
    const replicas = container?.env?.find(({ name }) => name === 'STREAM_REPLICAS')?.value;
    expect(replicas).toBe(overlay === 'kind' ? '1' : '3');
  });

  test('rolls out without failed requests', () => {
    for (const each of deployments) {
      expect(each.spec.strategy?.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
      const pause = podOf(each).containers[0]?.lifecycle?.preStop?.sleep?.seconds ?? 0;
      const grace = podOf(each).terminationGracePeriodSeconds ?? 0;
      expect(pause).toBeGreaterThanOrEqual(5);
      expect(grace).toBeGreaterThanOrEqual(pause + DRAIN_SECONDS);
      expect(podOf(each).containers[0]?.command?.[0]).toBe('node');
    }
  });

  test.each(topology)('spreads and scales $name, and limits disruptions to one pod', ({ name }) => {
    const deployment = find('Deployment', name) as Manifest;
    const labels = deployment.spec.template?.metadata.labels ?? {};
    const spread = podOf(deployment).topologySpreadConstraints ?? [];
    expect(spread.map(({ topologyKey }) => topologyKey)).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ]);
    expect(spread.every(({ labelSelector }) => selects(labelSelector, labels))).toBe(true);
    const budget = find('PodDisruptionBudget', name)?.spec;
    expect(budget?.maxUnavailable).toBe(1);
    expect(selects(budget?.selector ?? { matchLabels: { no: 'pod' } }, labels)).toBe(true);
    const scaler = find('HorizontalPodAutoscaler', name)?.spec;
    expect(scaler?.scaleTargetRef?.name).toBe(name);
    // A replica count in the Deployment would override the autoscaler at every rollout.
    expect(deployment.spec).not.toHaveProperty('replicas');
    if (overlay === 'production') expect(scaler?.minReplicas).toBeGreaterThanOrEqual(2);
    const queue = overlay === 'production' ? queues[name] : undefined;
    expect(
      scaler?.metrics?.map(({ resource, pods }) => resource?.name ?? pods?.metric.name),
    ).toEqual(queue ? ['cpu', queue] : ['cpu']);
    // At once and doubled, and down one by one: buyers come in waves.
    expect(scaler?.behavior).toEqual({
      scaleUp: {
        stabilizationWindowSeconds: 0,
        selectPolicy: 'Max',
        policies: [
          { type: 'Percent', value: 100, periodSeconds: 30 },
          { type: 'Pods', value: 2, periodSeconds: 30 },
        ],
      },
      scaleDown: {
        stabilizationWindowSeconds: 600,
        selectPolicy: 'Max',
        policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }],
      },
    });
  });

  test('has a disruption budget and an autoscaler for every Deployment except the sandboxes', () => {
    const scaled = deployments.filter(({ spec }) => spec.replicas === undefined);
    const names = scaled.map(({ metadata }) => metadata.name).toSorted();
    const namesOf = (kind: string) => ofKind(kind).map(({ metadata }) => metadata.name);
    expect(namesOf('PodDisruptionBudget').toSorted()).toEqual(names);
    expect(namesOf('HorizontalPodAutoscaler').toSorted()).toEqual(names);
    const others = deployments.filter((each) => !scaled.includes(each));
    expect(others.map(({ metadata, spec }) => [metadata.name, spec.replicas])).toEqual(
      overlay === 'kind'
        ? [
            ['identity-sandbox', 1],
            ['payment-sandbox', 1],
          ]
        : [],
    );
  });

  test.runIf(overlay === 'production')(
    'exposes only the public ports of the gateway and the console',
    () => {
      const backends = ofKind('HTTPRoute').flatMap(({ spec }) =>
        (spec.rules ?? []).flatMap(({ backendRefs }) => backendRefs),
      );
      expect(backends).toEqual(
        ['gateway', 'console'].map((name) => ({ name, port: containerPorts.api })).toReversed(),
      );
      expect(nodePorts()).toEqual([]);
    },
  );

  test.runIf(overlay === 'kind')(
    'exposes the public ports of the gateway, the console and the sandboxes at those of Compose',
    () => {
      const { nodes } = parse(read('deploy/kubernetes/overlays/kind/cluster.yaml'));
      const published = Object.fromEntries(
        nodes[0].extraPortMappings.map((each: { containerPort: number; hostPort: number }) => [
          each.containerPort,
          each.hostPort,
        ]),
      );
      const found = nodePorts().map(({ of, port, nodePort }) => [of, port, published[nodePort]]);
      const names = ['gateway', 'console', 'payment-sandbox', 'identity-sandbox'];
      const { services } = parse(read('docker-compose.yml'), { merge: true });
      const expected = names.map((name) => {
        const [, host, port] = /:-(\d+)\}:(\d+)$/.exec(services[name].ports[0]) ?? [];
        return [name, Number(port), Number(host)];
      });
      expect(found.toSorted()).toEqual(expected.toSorted());
      expect(ofKind('HTTPRoute')).toEqual([]);
    },
  );

  test.runIf(overlay === 'kind')('lets operators sign in at the identity sandbox', () => {
    const envOf = (name: string) => {
      const [container] = containersOf([find('Deployment', name) as Manifest]);
      return Object.fromEntries((container?.env ?? []).map((each) => [each.name, each]));
    };
    const { OIDC_ISSUER, OIDC_CLIENT_SECRET, CONSOLE_URL, ...own } = envOf('console');
    const sandbox = envOf('identity-sandbox');
    expect(sandbox.ISSUER_URL?.value).toBe(OIDC_ISSUER?.value);
    expect(sandbox.REDIRECT_URL?.value).toBe(`${CONSOLE_URL?.value}/api/sign-in/callback`);
    expect(own.OIDC_INTERNAL_URL?.value).toBe('http://identity-sandbox:8080');
    expect(own.OIDC_CLIENT_ID?.value).toBe(sandboxClientId);
    expect([own.DEMO_SIGN_INS?.value, own.NODE_ENV?.value]).toEqual(['1', 'development']);
    const addresses = [OIDC_ISSUER, CONSOLE_URL].map(({ value = '' } = { name: '' }) => value);
    expect(addresses).toEqual(['http://localhost:8091', 'http://localhost:8081']);
    // Both ends have the same secret, each in a Secret of its own.
    const contents = contentsOf(completeStore(undefined, { paymentProvider: 'sandbox' }));
    const secrets = secretManifests(contents);
    const secretOf = (setting = OIDC_CLIENT_SECRET) => {
      const { name, key = '' } = setting?.valueFrom?.secretKeyRef ?? {};
      return secrets.find(({ metadata }) => metadata.name === name)?.data[key];
    };
    expect(secretOf()).toBeDefined();
    expect(secretOf(sandbox.CLIENT_SECRET)).toBe(secretOf());
  });

  test.runIf(overlay === 'production')('never signs operators in without a password', () => {
    const names = ['DEMO_SIGN_INS', 'NODE_ENV'];
    const found = containersOf(withPods).flatMap(({ env = [] }) =>
      env.filter(({ name }) => names.includes(name)),
    );
    expect(found).toEqual([]);
  });

  test.runIf(overlay === 'production')('has more of onsite ready, before doors open', () => {
    const least = (name: string) => find('HorizontalPodAutoscaler', name)?.spec.minReplicas ?? 0;
    for (const name of ['catalog', 'registration', 'commerce']) {
      expect(least('onsite'), name).toBeGreaterThan(least(name));
    }
  });

  test('references every secret, the address of the owner of a schema in its migration only', () => {
    const secretNames = /(_KEY|_KEYS|_SECRETS?|DATABASE_URL|NATS_URL|REDIS_URL)$/;
    for (const each of withPods) {
      const env = podOf(each).containers.flatMap((container) => container.env ?? []);
      expect(
        env.filter(({ name, value }) => secretNames.test(name) && value !== undefined),
      ).toEqual([]);
      const owners = env.flatMap(
        ({ valueFrom }) => /^event-api-(.*)owner$/.exec(valueFrom?.secretKeyRef?.name ?? '') ?? [],
      );
      const [, migrated] = /^migrate-(.*)$/.exec(baseNameOf(each)) ?? [];
      expect(owners, each.metadata.name).toEqual(
        migrated === undefined ? [] : [`event-api-${migrated}-owner`, `${migrated}-`],
      );
    }
    expect(ofKind('Secret')).toEqual([]);
  });

  test.each(topology)(
    'sets only existing settings of $name, and no address that has a default',
    (each) => {
      const configured = containersOf([find('Deployment', each.name) as Manifest]).flatMap(
        ({ env = [] }) => env.map(({ name }) => name),
      );
      expect(configured.filter(processOfUrlSetting)).toEqual([]);
      const supported = new Set([...settingsOf(each), 'NODE_OPTIONS']);
      expect(configured.filter((name) => !supported.has(name))).toEqual([]);
    },
  );
});
