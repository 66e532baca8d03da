import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { killWithParent } from './tether.ts';

/**
 * Unpacks a Debian package and its missing dependencies below `target`, without root rights and
 * without starting a service. Later calls return the existing folder. Returns undefined on other
 * systems and when the download fails.
 */
export async function unpackedPackage(
  target: string,
  name: string,
  report: (line: string) => void,
): Promise<string | undefined> {
  const root = join(target, name);
  if (existsSync(root)) return root;
  if (process.platform !== 'linux') return undefined;
  report(`downloading ${name} from the system's package source`);
  // The draft is renamed when it is complete, so a killed or concurrent run never leaves an
  // incomplete folder.
  const draft = `${root}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(join(draft, 'archives'), { recursive: true });
  try {
    const isDownloaded =
      (await download(draft, name, [])) || (await download(draft, name, await privateLists(draft)));
    if (!isDownloaded) return undefined;
    mkdirSync(join(draft, 'root'));
    for (const archive of readdirSync(join(draft, 'archives'))) {
      const unpack = ['-x', join(draft, 'archives', archive), join(draft, 'root')];
      if ((await run('dpkg', unpack, draft)) === undefined) return undefined;
    }
    renameUnlessExists(join(draft, 'root'), root);
    return root;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function renameUnlessExists(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    // A concurrent run was faster.
    if (!existsSync(to)) throw error;
  }
}

/**
 * Downloads the packages that an installation of the package would add. Returns false when a
 * download fails.
 */
async function download(draft: string, name: string, options: string[]): Promise<boolean> {
  const install = ['install', '--simulate', '--no-install-recommends', name];
  const plan = await run('apt-get', [...options, ...install], draft);
  const names = [...(plan ?? '').matchAll(/^Inst (\S+) /gm)].map((match) => match[1] ?? '');
  if (names.length === 0) return false;
  // By default apt run as root downloads as its own user, who cannot write to this folder.
  const fetching = ['-o', 'APT::Sandbox::User=root', 'download', '--quiet=2', ...names];
  return (await run('apt-get', [...options, ...fetching], join(draft, 'archives'))) !== undefined;
}

/**
 * Downloads private package lists and returns apt's options for them: updating the system's lists
 * requires root.
 */
async function privateLists(draft: string): Promise<string[]> {
  const folder = join(draft, 'apt');
  mkdirSync(join(folder, 'lists/partial'), { recursive: true });
  mkdirSync(join(folder, 'cache/archives/partial'), { recursive: true });
  const options = [
    `Dir::State::Lists=${folder}/lists`,
    `Dir::Cache=${folder}/cache`,
    'APT::Sandbox::User=root',
  ];
  const flags = options.flatMap((option) => ['-o', option]);
  await run('apt-get', [...flags, 'update', '--quiet=2'], draft);
  return flags;
}

/** Returns the output of the command, or undefined when it fails or does not exist. */
async function run(command: string, args: string[], cwd: string): Promise<string | undefined> {
  const [program = '', ...words] = [...killWithParent('SIGKILL'), command, ...args];
  try {
    // If the package source is unreachable, the advice to install by hand must not take longer.
    const { stdout } = await promisify(execFile)(program, words, { cwd, timeout: 120_000 });
    return stdout;
  } catch {
    return undefined;
  }
}
