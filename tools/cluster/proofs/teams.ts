import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type ProcessName, topology } from '@event-api/contracts/topology';
import { waitUntil } from '@event-api/local-servers/probe';
import { createKubectl, type Kubectl } from '../plane/kubectl.ts';
import { copyManifests, digestOf } from '../plane/releases.ts';
import { deployments, jobs } from '../plane/state.ts';
import type { Context, Proof } from './proof.ts';

const TEAMS = join(import.meta.dirname, '../../../deploy/kubernetes/teams');
const RELEASE = 4;
const POLICY_TIMEOUT_MS = 60_000;

/** kubectl of a person in the team of a process, or with `groups` of someone else. */
function kubectlOf(
  { kubectl, createFolder }: Context,
  process: string,
  groups: readonly string[] = [`team-${process}`],
): Kubectl {
  const user = `someone-of-${process}`;
  const config = JSON.parse(readFileSync(kubectl.env.KUBECONFIG ?? '', 'utf8'));
  for (const each of config.users) Object.assign(each.user, { as: user, 'as-groups': groups });
  const file = join(createFolder(`${user}-${groups.join('-').replaceAll(':', '-')}`), 'kubeconfig');
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  const [programs = ''] = (kubectl.env.PATH ?? '').split(delimiter);
  return createKubectl(join(programs, 'kubectl'), file);
}

const imageIn = async (kubectl: Kubectl, name: ProcessName) =>
  (await deployments(kubectl)).find((each) => each.name === name)?.image ?? '';

/** An object for `kubectl create`, and what the API server says of it to the team of onsite. */
interface Attempt {
  what: string;
  args: readonly string[];
  input?: object;
  refusal: RegExp;
}

const labels = (service: string) => ({ 'event-api/service': service });
const job = (options: {
  service?: string;
  name?: string;
  podLabels?: object;
  pod?: object;
  container?: object;
}): object => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: {
    name: options.name ?? 'migrate-onsite-tried',
    labels: labels(options.service ?? 'onsite'),
  },
  spec: {
    template: {
      metadata: {
        labels: {
          'app.kubernetes.io/name': 'migrate-onsite',
          'event-api/role': 'migration',
          ...options.podLabels,
        },
      },
      spec: {
        restartPolicy: 'Never',
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 65532,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        containers: [{ ...container, ...options.container }],
        ...options.pod,
      },
    },
  },
});
const container = {
  name: 'process',
  image: 'registry.example.com/any',
  securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
};
const secretEnv = (name: string) => [
  { name: 'ANY', valueFrom: { secretKeyRef: { name, key: 'any' } } },
];
const object = (apiVersion: string, kind: string, name: string, spec: object) => ({
  apiVersion,
  kind,
  metadata: { name, labels: labels('onsite') },
  spec,
});

const create = (what: string, input: object, refusal: RegExp): Attempt => ({
  what,
  args: ['create', '-f', '-'],
  input,
  refusal,
});
const patch = (what: string, target: string, change: object, refusal: RegExp): Attempt => ({
  what,
  args: ['patch', target, '--type=merge', '--patch', JSON.stringify(change)],
  refusal,
});
const template = (spec: object) => ({ spec: { template: { spec } } });

const secretsOnly =
  /containers use only these Secrets: event-api-onsite, event-api-callers, event-api-onsite-owner/;
const volumesOnly = /volumes are temporary, or have a ConfigMap, ca\.crt of a server/;
const volume = (source: object) => job({ pod: { volumes: [{ name: 'any', ...source }] } });

const attempts: readonly Attempt[] = [
  patch(
    'a change of commerce',
    'deployment/commerce',
    { metadata: { annotations: { any: 'any' } } },
    /deployments\.apps "commerce" is forbidden: User "someone-of-onsite" cannot patch/,
  ),
  patch(
    'the policy that opens the pods of others to onsite',
    'networkpolicy/from-onsite',
    { spec: { policyTypes: ['Ingress', 'Egress'] } },
    /an administrator changes one that selects others/,
  ),
  create(
    'a migration of commerce',
    job({ service: 'commerce', name: 'migrate-commerce-tried' }),
    /its service \(onsite\), and this one has commerce/,
  ),
  create(
    'an object of no service',
    job({ service: '' }),
    /its service \(onsite\), and this one has none/,
  ),
  patch(
    'onsite as a service of the team of commerce',
    'deployment/onsite',
    { metadata: { labels: labels('commerce') } },
    /this one has onsite, then commerce/,
  ),
  create(
    'a job with the name of another one',
    job({ name: 'migrate-commerce-tried' }),
    /the name of a Job of this team begins with migrate-onsite-/,
  ),
  create(
    'a Service with the name of a server',
    object('v1', 'Service', 'redis-of-all', {
      selector: { 'app.kubernetes.io/name': 'onsite' },
      ports: [{ port: 6379 }],
    }),
    /the Service of this team has the name onsite/,
  ),
  create(
    'a pod with the network of operators',
    job({ podLabels: { 'event-api/role': 'operator' } }),
    /the pods need the labels app\.kubernetes\.io\/name: migrate-onsite and event-api\/role: migration/,
  ),
  create(
    'a pod that looks like one of commerce',
    job({ podLabels: { 'app.kubernetes.io/name': 'commerce' } }),
    /the pods need the labels/,
  ),
  create(
    'a pod that looks like PostgreSQL',
    job({ podLabels: { 'event-api/server': 'postgres' } }),
    /the pods need the labels/,
  ),
  create(
    'a Secret of another service in the environment',
    job({ container: { env: secretEnv('event-api-commerce') } }),
    secretsOnly,
  ),
  create(
    'the password of the superuser in the environment of an init container',
    job({
      pod: {
        initContainers: [
          {
            ...container,
            name: 'first',
            envFrom: [{ secretRef: { name: 'event-api-provision' } }],
          },
        ],
      },
    }),
    secretsOnly,
  ),
  patch(
    'the owner of the schema in the process',
    'deployment/onsite',
    template({ containers: [{ ...container, env: secretEnv('event-api-onsite-owner') }] }),
    /containers use only these Secrets: event-api-onsite, event-api-callers/,
  ),
  create(
    'a Secret of another service in a volume',
    volume({ secret: { secretName: 'event-api-commerce' } }),
    volumesOnly,
  ),
  create(
    'the private key of a server',
    volume({
      projected: {
        sources: [{ secret: { name: 'postgres-tls', items: [{ key: 'tls.key', path: 'key' }] } }],
      },
    }),
    volumesOnly,
  ),
  create(
    'the volume of a server',
    volume({ persistentVolumeClaim: { claimName: 'postgres-1' } }),
    volumesOnly,
  ),
  create(
    'a service account that may read Secrets',
    job({ pod: { serviceAccountName: 'postgres' } }),
    /pods of a team have no service account of their own/,
  ),
  patch(
    'the Service of onsite for other pods',
    'service/onsite',
    { spec: { selector: { 'app.kubernetes.io/name': 'commerce' } } },
    /a Service of a team has no address outside the cluster, and selects its own pods/,
  ),
  patch(
    'the Service of onsite outside the cluster',
    'service/onsite',
    { spec: { type: 'NodePort' } },
    /a Service of a team has no address outside the cluster/,
  ),
  patch(
    'the autoscaler of onsite for commerce',
    'hpa/onsite',
    { spec: { scaleTargetRef: { name: 'commerce' } } },
    /a HorizontalPodAutoscaler of a team scales its own Deployment/,
  ),
  create(
    'a disruption budget that blocks every drain',
    object('policy/v1', 'PodDisruptionBudget', 'tried', {
      maxUnavailable: 0,
      selector: {},
    }),
    /a PodDisruptionBudget of a team selects its own pods/,
  ),
  create(
    'a policy that opens every pod',
    object('networking.k8s.io/v1', 'NetworkPolicy', 'tried', { podSelector: {}, ingress: [{}] }),
    /a NetworkPolicy of a team selects its own pods/,
  ),
];

/** What the Roles do not grant at all. */
const missingRights = [
  ['get', 'secrets'],
  ['list', 'secrets'],
  ['create', 'pods'],
  ['create', 'pods', '--subresource=exec'],
  ['update', 'pods', '--subresource=ephemeralcontainers'],
  ['create', 'cronjobs'],
  ['create', 'statefulsets'],
  ['create', 'rolebindings'],
  ['create', 'serviceaccounts', '--subresource=token'],
  ['delete', 'deployments/onsite'],
  ['delete', 'networkpolicies/default-deny'],
  ['patch', 'networkpolicies/gateway-to-commerce'],
  ['patch', 'deployments/commerce'],
  ['patch', 'namespaces/event-api'],
] as const;

const tried = async (kubectl: Kubectl, { args, input }: Attempt) =>
  kubectl.try([...args, '--dry-run=server'], input && JSON.stringify(input));

export const teams: readonly Proof[] = [
  {
    title: 'the Roles of the teams and their policy are valid, and the policy is in force',
    async prove(context) {
      const { kubectl } = context;
      const strictly = ['apply', '--server-side', '--validate=strict', '--warnings-as-errors'];
      await kubectl.run([...strictly, '-k', TEAMS]);
      const onsite = kubectlOf(context, 'onsite');
      const [, , foreign] = attempts;
      const isRefused = async () =>
        foreign !== undefined && (await tried(onsite, foreign)).status !== 0;
      assert.ok(await waitUntil(isRefused, POLICY_TIMEOUT_MS), 'the policy is not in force');
    },
  },
  {
    title: 'the team of onsite reviews, releases and watches onsite, and goes back',
    async prove(context) {
      const { kubectl, manifests } = context;
      const onsite = kubectlOf(context, 'onsite');
      const before = await imageIn(kubectl, 'onsite');
      manifests.setDigest('onsite', digestOf('onsite', RELEASE));
      const diff = await onsite.try(['diff', '-k', manifests.overlay('production/onsite')]);
      assert.equal(diff.status, 1, diff.stderr);
      assert.ok(diff.stdout.includes(digestOf('onsite', RELEASE)), diff.stdout);

      const { status, stdout, stderr } = await manifests.rollOut('production/onsite', onsite.env);
      assert.equal(status, 0, `${stdout}${stderr}`);
      assert.ok((await imageIn(kubectl, 'onsite')).endsWith(digestOf('onsite', RELEASE)));
      const own = (await jobs(kubectl)).filter(({ image }) =>
        image.endsWith(digestOf('onsite', RELEASE)),
      );
      assert.deepEqual(
        own.map(({ outcome }) => outcome),
        ['complete'],
      );
      await onsite.run(['logs', `job/${own[0]?.name}`, '--tail=5']);
      await onsite.run(['logs', 'deployment/onsite', '--tail=5']);
      await onsite.run(['get', 'pods,deployments,jobs,hpa,pdb,networkpolicies,services']);
      // The same release again deletes its job and runs it once more.
      const again = await manifests.rollOut('production/onsite', onsite.env);
      assert.equal(again.status, 0, `${again.stdout}${again.stderr}`);

      await onsite.run(['rollout', 'undo', 'deployment/onsite']);
      await onsite.run(['rollout', 'status', 'deployment/onsite', '--timeout=5m']);
      assert.equal(await imageIn(kubectl, 'onsite'), before);
    },
  },
  {
    title: 'the team of onsite cannot release commerce, and is told why',
    async prove(context) {
      const { kubectl, manifests } = context;
      const onsite = kubectlOf(context, 'onsite');
      const [before, jobsBefore] = [await imageIn(kubectl, 'commerce'), await jobs(kubectl)];
      manifests.setDigest('commerce', digestOf('commerce', RELEASE));
      const reason = /team changes only objects with the label event-api\/service of its service/;
      const rollout = await manifests.rollOut('production/commerce', onsite.env);
      assert.equal(rollout.status, 1);
      assert.match(rollout.stderr, /is forbidden: User "someone-of-onsite" cannot patch/);
      const folder = manifests.overlay('production/commerce');
      const applied = await onsite.try(['apply', '-k', folder]);
      assert.equal(applied.status, 1);
      assert.match(applied.stderr, reason);
      assert.match(
        applied.stderr,
        /"commerce" is forbidden: User "someone-of-onsite" cannot patch/,
      );
      assert.equal(await imageIn(kubectl, 'commerce'), before);

      const [foreign] = jobsBefore.filter(({ name }) => name.startsWith('migrate-commerce-'));
      const deleted = await onsite.try(['delete', 'job', foreign?.name ?? '']);
      assert.match(deleted.stderr, reason);
      assert.deepEqual(await jobs(kubectl), jobsBefore);
    },
  },
  {
    title: 'each team, and its pipeline, can apply everything of its service, and nobody else',
    async prove(context) {
      const copy = copyManifests(context.createFolder('releases-of-teams'));
      copy.setAllDigests(RELEASE + 1);
      for (const [index, { name }] of topology.entries()) {
        const dryRun = ['apply', '--dry-run=server', '-k', copy.overlay(`production/${name}`)];
        await kubectlOf(context, name).run(dryRun);
        await kubectlOf(context, name, [`system:serviceaccounts:team-${name}`]).run(dryRun);
        const other = topology[(index + 1) % topology.length]?.name ?? '';
        const refused = await kubectlOf(context, other).try(dryRun);
        assert.notEqual(refused.status, 0, `${other} releases ${name}`);
      }
    },
  },
  ...attempts.map((attempt) => ({
    title: `the team of onsite cannot apply ${attempt.what}`,
    async prove(context: Context) {
      const asTeam = await tried(kubectlOf(context, 'onsite'), attempt);
      assert.match(asTeam.stderr, attempt.refusal);
      assert.notEqual(asTeam.status, 0);
      // The request itself is valid: an administrator may send it.
      const asAdministrator = await tried(context.kubectl, attempt);
      assert.equal(asAdministrator.status, 0, asAdministrator.stderr);
    },
  })),
  {
    title: 'the team of onsite reads no Secret, starts no program in a pod, and grants no rights',
    async prove(context) {
      const onsite = kubectlOf(context, 'onsite');
      const isAllowed = async (right: readonly string[]) =>
        (await onsite.try(['auth', 'can-i', ...right])).stdout.trim();
      for (const right of missingRights)
        assert.equal(await isAllowed(right), 'no', right.join(' '));
      for (const right of [
        ['get', 'pods', '--subresource=log'],
        ['patch', 'deployments/onsite'],
      ])
        assert.equal(await isAllowed(right), 'yes', right.join(' '));
    },
  },
];
