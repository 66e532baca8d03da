import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer as startTestServer } from '@event-api/local-servers/test-server';
import { watchParent } from '@event-api/local-servers/tether';
import { createProgress } from '../terminal/progress.ts';
import { requireImageBuilder } from './images/buildah.ts';
import { openImageStore } from './images/store.ts';
import { type Cluster, NAMESPACE, startCluster } from './plane/control-plane.ts';
import type { Kubectl } from './plane/kubectl.ts';
import {
  type ClusterPrograms,
  clusterPrograms,
  customResourceFiles,
  MissingPrerequisite,
  requireGo,
} from './plane/programs.ts';
import { copyManifests } from './plane/releases.ts';
import { waitForSchemas } from './plane/schema-wait.ts';
import { type SupportedVersion, supportedVersions } from './plane/versions.ts';
import { drains } from './proofs/drains.ts';
import { images } from './proofs/images.ts';
import type { ClusterContext, Proof } from './proofs/proof.ts';
import { releases } from './proofs/releases.ts';
import { scaling } from './proofs/scaling.ts';
import { teams } from './proofs/teams.ts';
import { validation } from './proofs/validation.ts';
import { howToUse } from './serve.ts';

/** What is proven on a cluster, in this order. */
const clusterGroups = { validation, releases, scaling, teams, drains };
const groups = [...Object.keys(clusterGroups), 'images'];

const USAGE = `npm run test:cluster -- [oldest|newest …] [--only <group> …] [--keep]
npm run test:cluster -- --serve [oldest|newest] [--keep]
  Proves the manifests of deploy/ on a real control plane, by default with the oldest version of Kubernetes, and its
  Dockerfile with the images that it builds.
  --only   proves these groups: ${groups.join(', ')}
  --keep   keeps the folder with the logs of the programs
  --serve  proves nothing: starts an empty control plane for commands by hand, until Ctrl-C

Exit code: 0 everything is proven, 1 something is not, 3 this machine lacks a program, so nothing was tested.`;

const EXIT_UNPROVEN = 1;
const EXIT_NOT_TESTED = 3;

const progress = createProgress((line) => console.log(line));

/**
 * Runs the proofs in order, and stops at the first that does not hold. Returns whether all hold.
 */
async function proveAll<Context>(
  proofs: readonly Proof<Context>[],
  context: Context,
): Promise<boolean> {
  for (const { title, prove } of proofs) {
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

/** A control plane with the custom resources of the manifests, while `use` runs. */
async function onPlane<Result>(
  version: SupportedVersion,
  createFolder: (name: string) => string,
  use: (cluster: Cluster, place: { programs: ClusterPrograms; folder: string }) => Promise<Result>,
): Promise<Result> {
  const programs = await clusterPrograms(version, progress);
  const resources = await customResourceFiles(progress);
  const folder = createFolder(version);
  progress.say(`Kubernetes ${supportedVersions[version].kubernetes}, logs in ${folder}`);
  const cluster = await startCluster(programs, folder, progress);
  const { kubectl, stop } = cluster;
  stopAll = stop;
  try {
    await progress.during('creating the custom resources', async () => {
      for (const file of resources) await kubectl.run(['apply', '--server-side', '-f', file]);
      await kubectl.run(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=2m']);
    });
    const schemaWait = waitForSchemas(kubectl);
    try {
      return await use(cluster, { programs, folder });
    } finally {
      await schemaWait.stop();
    }
  } finally {
    await stop();
  }
}

async function createNamespace(kubectl: Kubectl): Promise<void> {
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
}

const proveCluster = (
  version: SupportedVersion,
  proofs: readonly Proof<ClusterContext>[],
  createFolder: (name: string) => string,
): Promise<boolean> =>
  onPlane(version, createFolder, async ({ kubectl, logFile }, { folder }) => {
    await createNamespace(kubectl);
    const manifests = copyManifests(join(folder, 'deploy/kubernetes'));
    // A node that plays a failing job fails each attempt: one is enough.
    manifests.edit('components/hardened/every-job.yaml', /backoffLimit: \d+/, 'backoffLimit: 0');
    const createOwn = (name: string) => createFolder(join(version, name));
    return proveAll(proofs, { kubectl, logFile, manifests, createFolder: createOwn });
  });

/** Runs until an interrupt ends this program. */
const serve = (version: SupportedVersion, createFolder: (name: string) => string): Promise<never> =>
  onPlane(version, createFolder, (cluster, { programs }) => {
    console.log(howToUse(cluster, programs));
    exitCodeOfInterrupt = 0;
    return new Promise<never>(() => {});
  });

async function proveImages(createFolder: (name: string) => string): Promise<boolean> {
  const store = await openImageStore();
  const started: { stop: () => Promise<void> }[] = [store];
  const stop = async () => {
    for (const each of started.splice(0).toReversed()) await each.stop();
  };
  stopAll = stop;
  try {
    const startServer = async (name: string) => {
      const server = await startTestServer(name, createFolder(name));
      started.push(server);
      return server.url;
    };
    const servers = {
      postgres: await startServer('postgres'),
      nats: await startServer('nats'),
      redis: await startServer('redis'),
    };
    return await proveAll(images, { store, servers, createFolder });
  } finally {
    await stop();
  }
}

/** Ends what runs, when this program is interrupted. */
let stopAll = async () => {};
let exitCodeOfInterrupt = EXIT_UNPROVEN;
let isInterrupted = false;
/** Ctrl-C arrives twice: from the terminal, and from the program that has started this one. */
const interrupt = () => {
  if (isInterrupted) return;
  isInterrupted = true;
  void stopAll().finally(() => process.exit(exitCodeOfInterrupt));
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
watchParent(interrupt);

/** Creates folders in a temporary one, which is deleted at the end, also after an interrupt. */
function temporaryFolders(keeps: boolean): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'event-api-cluster-'));
  if (!keeps) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return (name) => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
}

/** Returns whether everything is proven. Errors: MissingPrerequisite. */
async function prove(
  versions: readonly SupportedVersion[],
  chosen: readonly string[],
  createFolder: (name: string) => string,
): Promise<boolean> {
  const proofs = Object.entries(clusterGroups)
    .filter(([name]) => chosen.includes(name))
    .flatMap(([, group]) => group);
  if (proofs.length > 0) await requireGo();
  if (chosen.includes('images')) await requireImageBuilder();
  for (const version of proofs.length > 0 ? versions : [])
    if (!(await proveCluster(version, proofs, createFolder))) return false;
  return !chosen.includes('images') || (await proveImages(createFolder));
}

const isVersion = (word: string): word is SupportedVersion => word in supportedVersions;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true },
    keep: { type: 'boolean', default: false },
    serve: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const { only: chosen = groups } = values;
const versions = positionals.filter(isVersion);
const isUnderstood =
  versions.length === positionals.length &&
  chosen.every((name) => groups.includes(name)) &&
  (!values.serve || (versions.length <= 1 && values.only === undefined));
if (values.help || !isUnderstood) {
  console.log(USAGE);
  process.exitCode = values.help ? 0 : EXIT_UNPROVEN;
} else {
  try {
    const [first = 'oldest', ...others] = versions;
    const createFolder = temporaryFolders(values.keep);
    if (values.serve) {
      await requireGo();
      await serve(first, createFolder);
    }
    const isProven = await prove([first, ...others], chosen, createFolder);
    if (isProven) progress.say('everything is proven');
    else process.exitCode = EXIT_UNPROVEN;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = error instanceof MissingPrerequisite ? EXIT_NOT_TESTED : EXIT_UNPROVEN;
  }
}
