import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Progress } from '../../terminal/progress.ts';
import { run, runOrFail } from './run.ts';
import {
  customResources,
  kwokVersion,
  type SupportedVersion,
  supportedVersions,
} from './versions.ts';

/** Something that this machine lacks, so that nothing was tested. The message says what. */
export class MissingPrerequisite extends Error {}

/** The paths of the programs of a cluster. */
export interface ClusterPrograms {
  etcd: string;
  apiServer: string;
  controllerManager: string;
  scheduler: string;
  kubectl: string;
  kwok: string;
}

/** What is built stays here, also for other clones. */
export const cacheFolder = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'event-api/cluster',
);

const MINUTE_MS = 60_000;
/** Of one program, on a machine with two busy cores and an empty cache, at the lowest priority. */
const BUILD_TIMEOUT_MS = 180 * MINUTE_MS;
const DOWNLOAD_TIMEOUT_MS = 5 * MINUTE_MS;

/**
 * The programs of a cluster with this version of Kubernetes. What is missing is built from the Go
 * modules, which takes minutes once. Errors: the output of a failed build.
 */
export async function clusterPrograms(
  version: SupportedVersion,
  progress: Progress,
): Promise<ClusterPrograms> {
  const versions = supportedVersions[version];
  const kubernetes = await builtKubernetes(versions.kubernetes, progress);
  return {
    // Go names a program by the last part of its path.
    etcd: join(await builtEtcd(versions.etcd, progress), 'server'),
    apiServer: join(kubernetes, 'kube-apiserver'),
    controllerManager: join(kubernetes, 'kube-controller-manager'),
    scheduler: join(kubernetes, 'kube-scheduler'),
    kubectl: join(kubernetes, 'kubectl'),
    kwok: join(await builtKwok(progress), 'kwok'),
  };
}

/** The CustomResourceDefinitions that the manifests use. Errors: those of the download. */
export async function customResourceFiles(progress: Progress): Promise<string[]> {
  const files: string[] = [];
  for (const { module, version, files: patterns } of customResources) {
    const { Dir } = await progress.during(`loading ${module} ${version}`, () =>
      downloadModule(`${module}@v${version}`),
    );
    for (const pattern of patterns) {
      const found = globSync(join(Dir, pattern)).toSorted();
      if (found.length === 0) throw new Error(`${module} ${version} has no ${pattern}`);
      files.push(...found);
    }
  }
  return files;
}

/** Errors: MissingPrerequisite. */
export async function requireGo(): Promise<void> {
  const { status } = await run(['go', 'version'], { timeoutMs: MINUTE_MS });
  if (status !== 0)
    throw new MissingPrerequisite('Go is not installed: it builds the programs of a cluster');
}

/** Builds into a draft folder, which is renamed when it is complete. */
async function built(
  name: string,
  progress: Progress,
  build: (draft: string) => Promise<void>,
): Promise<string> {
  const folder = join(cacheFolder, name);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  try {
    await progress.during(`building ${name} from its Go modules (once, for minutes)`, () =>
      build(draft),
    );
    if (!existsSync(folder)) renameSync(draft, folder);
    return folder;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

interface GoModule {
  Dir: string;
  GoMod: string;
}

const downloadModule = async (name: string): Promise<GoModule> =>
  JSON.parse(
    await runOrFail(['go', 'mod', 'download', '-json', name], { timeoutMs: DOWNLOAD_TIMEOUT_MS }),
  );

/**
 * Kubernetes replaces its staging modules by folders that its module does not contain. They are
 * published with the same minor version and patch.
 */
const builtKubernetes = (version: string, progress: Progress): Promise<string> =>
  built(`kubernetes-${version}`, progress, async (draft) => {
    const minor = version.replace(/^1\./, '');
    const { GoMod } = await downloadModule(`k8s.io/kubernetes@v${version}`);
    const goMod = readFileSync(GoMod, 'utf8');
    const settings = goMod.match(/^(?:go|godebug) .*$/gm) ?? [];
    const staging = [...goMod.matchAll(/^\s+(k8s\.io\/\S+) => \.\/staging/gm)];
    const lines = [
      'module cluster',
      ...settings,
      `require k8s.io/kubernetes v${version}`,
      ...staging.map(([, name]) => `replace ${name} => ${name} v0.${minor}`),
    ];
    const programs = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'];
    const versionOf = 'k8s.io/component-base/version';
    const [number = ''] = minor.split('.');
    const flags = [
      '-s',
      '-w',
      `-X ${versionOf}.gitVersion=v${version}`,
      `-X ${versionOf}.gitMajor=1`,
      `-X ${versionOf}.gitMinor=${number}`,
    ];
    await build(draft, lines, {
      flags: flags.join(' '),
      packages: programs.map((program) => `k8s.io/kubernetes/cmd/${program}`),
    });
  });

const builtKwok = (progress: Progress): Promise<string> =>
  built(`kwok-${kwokVersion}`, progress, (draft) =>
    buildOf(draft, `sigs.k8s.io/kwok@v${kwokVersion}`, '/cmd/kwok'),
  );

const builtEtcd = (version: string, progress: Progress): Promise<string> =>
  built(`etcd-${version}`, progress, (draft) =>
    buildOf(draft, `go.etcd.io/etcd/server/v3@v${version}`, ''),
  );

/** Builds the program below `path` of a module that replaces none of its dependencies. */
async function buildOf(draft: string, module: string, path: string): Promise<void> {
  const { GoMod } = await downloadModule(module);
  const settings = readFileSync(GoMod, 'utf8').match(/^go .*$/gm) ?? [];
  const [name = '', version = ''] = module.split('@');
  const lines = ['module cluster', ...settings, `require ${name} ${version}`];
  await build(draft, lines, { flags: '-s -w', packages: [`${name}${path}`] });
}

/** Builds programs of the modules that the lines of a go.mod require. */
async function build(
  folder: string,
  goMod: readonly string[],
  { flags, packages }: { flags: string; packages: readonly string[] },
): Promise<void> {
  const source = join(folder, 'source');
  mkdirSync(source);
  writeFileSync(join(source, 'go.mod'), `${goMod.join('\n')}\n`);
  const blank = packages.map((name) => `import _ "${name}"`).join('\n');
  writeFileSync(
    join(source, 'programs.go'),
    `//go:build programs\n\npackage programs\n\n${blank}\n`,
  );
  const command = ['go', 'build', '-mod=mod', '-ldflags', flags, '-o', `${folder}/`, ...packages];
  await runOrFail(command, {
    cwd: source,
    // Without C libraries the programs run on every machine of this kind.
    env: { ...process.env, CGO_ENABLED: '0' },
    timeoutMs: BUILD_TIMEOUT_MS,
  });
}
