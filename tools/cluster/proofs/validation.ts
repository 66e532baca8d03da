import assert from 'node:assert/strict';
import { join } from 'node:path';
import { topology } from '@event-api/contracts/topology';
import { namespaceOfCell } from '@event-api/deploy/cells/overlay';
import { writeOverlay } from '@event-api/deploy/cells/write-overlay';
import type { Kubectl } from '../plane/kubectl.ts';
import { copyManifests } from '../plane/releases.ts';
import { runOrFail } from '../plane/run.ts';
import type { ClusterContext, Proof } from './proof.ts';

const root = join(import.meta.dirname, '../../..');
/** Unknown fields, duplicate fields and warnings are errors, also those of Pod Security. */
const strictly = ['apply', '--server-side', '--validate=strict', '--warnings-as-errors'];
const tried = [...strictly, '--dry-run=server'];

const services = topology.map(({ name }) => `production/${name}`);
const others = ['shared', 'servers', 'servers-per-process', 'operator'].map(
  (name) => `production/${name}`,
);
const folders = ['production', ...services, ...others, 'kind', 'kind/operator'];

/** The components that an overlay can add: in which folder, and the line that adds it. */
const components: Record<string, [folder: string, line: RegExp][]> = {
  tls: [
    ['site', /# (?=components: \[.*\/tls\])/],
    ['servers', /# (?=- .*\/tls-required$)/m],
  ],
  'the audit retention': [['shared', /# (?=- .*\/audit-retention$)/m]],
  'routes to other cells': [['gateway', /# (?=- .*\/cells$)/m]],
  'a cell': [
    ['site', /# (?=components: \[.*\/cell\])/],
    ['gateway', /# (?=- .*\/cell\/gateway$)/m],
  ],
  'an Ingress': [
    ['gateway', /# (?=- .*\/ingress\/gateway$)/m],
    ['console', /# (?=- .*\/ingress\/console$)/m],
  ],
};

/** What `npm run restore` writes. */
const restores: Record<
  string,
  { folder: string; args: readonly string[]; isOwn?: true; withTls?: true }
> = {
  'the restored server of all processes': {
    folder: 'servers',
    args: ['--to', '2026-11-04T11:58:00Z'],
  },
  'the restored server of all processes with TLS': { folder: 'servers', args: [], withTls: true },
  'the restored server of one process': {
    folder: 'servers-per-process',
    args: ['registration', '--to', '2026-11-04T11:58:00+01:00'],
    isOwn: true,
  },
  'the restored servers of each process with TLS': {
    folder: 'servers-per-process',
    args: ['each'],
    isOwn: true,
    withTls: true,
  },
};

export const validation: readonly Proof<ClusterContext>[] = [
  {
    title: 'the API server rejects a misspelt field and a pod that is not restricted',
    async prove({ kubectl, manifests }) {
      const rendered = await kubectl.run(['kustomize', manifests.overlay('production/onsite')]);
      const { stderr: misspelt } = await kubectl.try(
        [...tried, '-f', '-'],
        rendered.replace('minReplicas:', 'leastReplicas:'),
      );
      assert.match(misspelt, /leastReplicas/);
      const { stderr: privileged } = await kubectl.try(
        [...tried, '-f', '-'],
        rendered.replaceAll('allowPrivilegeEscalation: false', 'allowPrivilegeEscalation: true'),
      );
      assert.match(privileged, /would violate PodSecurity/);
    },
  },
  ...folders.map((folder) => ({
    title: `${folder} is valid`,
    prove: async ({ kubectl, manifests }: ClusterContext) => {
      await kubectl.run([...tried, '-k', manifests.overlay(folder)]);
    },
  })),
  ...Object.entries(components).map(([name, lines]) => ({
    title: `production with ${name} is valid`,
    async prove({ kubectl, createFolder }: ClusterContext) {
      const manifests = copyManifests(createFolder(name));
      for (const [folder, line] of lines)
        manifests.edit(`overlays/production/${folder}/kustomization.yaml`, line, '');
      for (const folder of folders.filter((each) => each.startsWith('production')))
        await kubectl.run([...tried, '-k', manifests.overlay(folder)]);
    },
  })),
  ...Object.entries(restores).map(([name, { folder, isOwn, withTls, args }]) => ({
    title: `${name} is valid`,
    async prove({ kubectl, createFolder }: ClusterContext) {
      const manifests = copyManifests(createFolder(name.replaceAll(' ', '-')));
      if (isOwn)
        manifests.edit(
          'overlays/production/kustomization.yaml',
          '- servers',
          '- servers-per-process',
        );
      for (const [each, line] of withTls ? (components.tls ?? []) : [])
        manifests.edit(`overlays/production/${each}/kustomization.yaml`, line, '');
      const kubernetes = manifests.overlay('..');
      const command = [process.execPath, join(root, 'deploy/kubernetes/restore/restore.ts')];
      const words = ['production', ...args, '--folder', kubernetes];
      await runOrFail([...command, ...words], { timeoutMs: 60_000, env: kubectl.env });
      await kubectl.run([...tried, '-k', manifests.overlay(`production/${folder}`)]);
    },
  })),
  {
    title: 'a second cell is valid beside the first one, in a namespace of its own',
    async prove({ kubectl, createFolder }) {
      const folder = createFolder('second-cell');
      const manifests = copyManifests(folder);
      writeOverlay(join(folder, 'overlays'), 'eu2');
      const namespace = namespaceOfCell('eu2');
      await kubectl.run(['create', 'namespace', namespace]);
      for (const name of folders.filter((each) => each.startsWith('production'))) {
        const overlay = manifests.overlay(name.replace('production', 'eu2'));
        // The namespace of the command is that of the default cell.
        await kubectl.run([...tried, '--namespace', namespace, '-k', overlay]);
      }
      const teams = manifests.overlay('eu2/teams');
      await kubectl.run([...tried, '--namespace', namespace, '-k', teams]);
      await kubectl.run(['delete', 'namespace', namespace, '--wait=false']);
    },
  },
  {
    title: 'the certificates, the Gateway and the monitoring are valid',
    async prove({ kubectl }) {
      const certificates = join(root, 'deploy/kubernetes/servers/certificates.yaml');
      await kubectl.run([...tried, '-f', certificates]);
      const entry = join(root, 'deploy/kubernetes/servers/gateway.yaml');
      await kubectl.run(['create', 'namespace', 'gateway']);
      await kubectl.run([...tried, '-f', entry]);
      await kubectl.run([...tried, '-k', join(root, 'deploy/observability')]);
    },
  },
  ...['policies', 'job', 'test-run', 'check'].map((folder) => ({
    title: `load/${folder} is valid`,
    prove: async ({ kubectl }: ClusterContext) => {
      await kubectl.run([...tried, '-k', join(root, 'deploy/kubernetes/load', folder)]);
    },
  })),
  {
    title: 'the Secrets of production and of a sandbox are valid',
    async prove({ kubectl, createFolder }) {
      await applySecrets(kubectl, createFolder('sandbox-secrets'), ['--sandbox'], tried);
      await applySecrets(kubectl, createFolder('secrets'), [], strictly);
    },
  },
];

/** The commands of deploy/README.md. */
async function applySecrets(
  kubectl: Kubectl,
  folder: string,
  options: readonly string[],
  apply: readonly string[],
): Promise<void> {
  const secrets = (args: readonly string[], input = '') =>
    runOrFail(
      [process.execPath, join(root, 'deploy/secrets/cli.ts'), '--folder', folder, ...args],
      {
        timeoutMs: 5 * 60_000,
        input,
      },
    );
  await secrets(['create', ...options]);
  if (!options.includes('--sandbox')) {
    await secrets(['provide', 'STRIPE_SECRET_KEY'], 'sk_live_of_no_account');
    await secrets(['provide', 'STRIPE_WEBHOOK_SECRETS'], 'whsec_of_no_account');
  }
  await kubectl.run([...apply, '-f', '-'], await secrets(['print']));
}
