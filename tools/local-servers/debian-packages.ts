import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { killWithParent } from './tether.ts';

/** Unpacks Debian packages and those of their dependencies that this system lacks below `target`, without root and
 *  without starting anything. Done once: later calls answer the folder at once. Undefined where that cannot be done. */
export async function unpackedPackages(
  target: string,
  packages: readonly string[],
  report: (line: string) => void,
): Promise<string | undefined> {
  const root = join(target, packages.join('_'));
  if (existsSync(root)) return root;
  if (process.platform !== 'linux') return undefined;
  report(`fetching ${packages.join(' and ')} from the system's package source`);
  // A folder of our own, renamed when complete: a killed or a second run never leaves half a folder behind.
  const draft = `${root}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(join(draft, 'archives'), { recursive: true });
  try {
    const isDownloaded =
      (await download(draft, packages, [])) ||
      (await download(draft, packages, await privateLists(draft)));
    if (!isDownloaded) return undefined;
    mkdirSync(join(draft, 'root'));
    for (const archive of readdirSync(join(draft, 'archives'))) {
      const unpack = ['-x', join(draft, 'archives', archive), join(draft, 'root')];
      if ((await run('dpkg', unpack, draft)) === undefined) return undefined;
    }
    moveUnlessThere(join(draft, 'root'), root);
    return root;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    // A second run, started at the same time, was quicker.
    if (!existsSync(to)) throw error;
  }
}

/** Downloads what an installation of `packages` would bring in; false when any of it failed. */
async function download(
  draft: string,
  packages: readonly string[],
  options: string[],
): Promise<boolean> {
  const install = ['install', '--simulate', '--no-install-recommends', ...packages];
  const plan = await run('apt-get', [...options, ...install], draft);
  const names = [...(plan ?? '').matchAll(/^Inst (\S+) /gm)].map((match) => match[1] ?? '');
  if (names.length === 0) return false;
  // As root, apt would fetch as its own user, who may not write here.
  const fetching = ['-o', 'APT::Sandbox::User=root', 'download', '--quiet=2', ...names];
  return (await run('apt-get', [...options, ...fetching], join(draft, 'archives'))) !== undefined;
}

/** apt's options for package lists of our own, freshly fetched: the system may have none, and root may be needed for its own. */
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

/** The command's output, or undefined when it failed or does not exist. */
async function run(command: string, args: string[], cwd: string): Promise<string | undefined> {
  const [program = '', ...words] = [...killWithParent('SIGKILL'), command, ...args];
  try {
    // A package source out of reach must not hold up the message that tells what to do instead.
    const { stdout } = await promisify(execFile)(program, words, { cwd, timeout: 120_000 });
    return stdout;
  } catch {
    return undefined;
  }
}
