import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { watchParent } from '@event-api/local-servers/tether';
import { createProgress } from '../terminal/progress.ts';
import { NAMESPACE, startCluster } from './plane/control-plane.ts';
import { clusterPrograms, customResourceFiles, MissingPrerequisite } from './plane/programs.ts';
import { copyManifests } from './plane/releases.ts';
import { waitForSchemas } from './plane/schema-wait.ts';
import { kubernetesVersions, type SupportedVersion } from './plane/versions.ts';
import { drains } from './proofs/drains.ts';
import type { Context } from './proofs/proof.ts';
import { releases } from './proofs/releases.ts';
import { scaling } from './proofs/scaling.ts';
import { teams } from './proofs/teams.ts';
import { validation } from './proofs/validation.ts';

const USAGE = `npm run test:cluster -- [oldest|newest …] [--keep]
  Proves the manifests of deploy/ on a real control plane, by default with the oldest version of Kubernetes.
  --keep   keeps the folder with the logs of the programs

Exit code: 0 everything is proven, 1 something is not, 3 this machine lacks a program, so nothing was tested.`;

const EXIT_UNPROVEN = 1;
const EXIT_NOT_TESTED = 3;

const progress = createProgress((line) => console.log(line));

/**
 * Runs the proofs in order, and stops at the first that does not hold. Returns whether all hold.
 */
async function proveAll(context: Context): Promise<boolean> {
  for (const { title, prove } of [...validation, ...releases, ...scaling, ...teams, ...drains]) {
    const startedAt = performance.now();
    try {
      await progress.during(title, () => prove(context));
    } catch (error) {
      progress.say(`✗ ${title}\n${error instanceof Error ? error.message : error}`);
      return false;
    }
    progress.say(`✓ ${title} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  }
  return true;
}

async function proveWith(version: SupportedVersion, folder: string): Promise<boolean> {
  const number = kubernetesVersions[version];
  const programs = await clusterPrograms(number, progress);
  const resources = await customResourceFiles(progress);
  progress.say(`Kubernetes ${number}, logs in ${folder}`);
  const { kubectl, logFile, stop } = await startCluster(programs, folder, progress);
  stopCluster = stop;
  try {
    await progress.during('creating the custom resources and the namespace', async () => {
      for (const file of resources) await kubectl.run(['apply', '--server-side', '-f', file]);
      await kubectl.run(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=2m']);
      await kubectl.run(['create', 'namespace', NAMESPACE]);
      await kubectl.run(['wait', '--for=create', 'serviceaccount/default', '--timeout=2m']);
      // The API server checks pods when they are created, and warns of those of a template.
      for (const mode of ['enforce', 'warn'])
        await kubectl.run([
          'label',
          'namespace',
          NAMESPACE,
          `pod-security.kubernetes.io/${mode}=restricted`,
        ]);
    });
    const manifests = copyManifests(join(folder, 'deploy/kubernetes'));
    // A node that plays a failing job fails each attempt: one is enough.
    manifests.edit('components/hardened/every-job.yaml', /backoffLimit: \d+/, 'backoffLimit: 0');
    const createFolder = (name: string) => {
      const path = join(folder, name);
      mkdirSync(path, { recursive: true });
      return path;
    };
    const schemaWait = waitForSchemas(kubectl);
    try {
      return await proveAll({ kubectl, logFile, manifests, createFolder });
    } finally {
      await schemaWait.stop();
    }
  } finally {
    await stop();
  }
}

let stopCluster = async () => {};
const interrupt = () => void stopCluster().finally(() => process.exit(EXIT_UNPROVEN));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupt);
watchParent(interrupt);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
const wanted = positionals.length > 0 ? positionals : ['oldest'];
if (values.help || wanted.some((each) => !(each in kubernetesVersions))) {
  console.log(USAGE);
  process.exitCode = values.help ? 0 : EXIT_UNPROVEN;
} else {
  for (const version of wanted) {
    const folder = mkdtempSync(join(tmpdir(), 'event-api-cluster-'));
    // Also after an interrupt.
    if (!values.keep) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    try {
      if (!(await proveWith(version as SupportedVersion, folder))) process.exitCode = EXIT_UNPROVEN;
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = error instanceof MissingPrerequisite ? EXIT_NOT_TESTED : EXIT_UNPROVEN;
    }
    if (process.exitCode) break;
  }
  if (!process.exitCode) progress.say('everything is proven');
}
