import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { unpackedPackage } from './debian-packages.ts';
import { succeeds } from './tether.ts';

/** Programs that are not available from npm, with the option that prints their version. */
const versionOption = {
  'nats-server': '--version',
  'redis-server': '--version',
  haproxy: '-v',
  nginx: '-v',
} as const;
export type NativeProgram = keyof typeof versionOption;

/** Paths of programs, by default of all, and the environment that they need. */
export interface NativePrograms<Name extends NativeProgram = NativeProgram> {
  path: Record<Name, string>;
  env: NodeJS.ProcessEnv;
}

/**
 * The programs are not installed and cannot be downloaded. The message is shown at the terminal.
 */
export class ProgramsMissingError extends Error {}

// Debian installs nats-server outside an ordinary user's PATH, Homebrew outside the PATH of some
// desktop programs.
const MORE_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

/**
 * Finds the `wanted` programs on PATH, or unpacks Debian packages into `toolchain` (nothing is
 * installed or started system-wide). `report` is called before a download. Errors:
 * ProgramsMissingError, which says what to install.
 */
export async function findPrograms(
  wanted: readonly NativeProgram[],
  toolchain: string,
  report: (line: string) => void,
): Promise<NativePrograms> {
  const searched = [...(process.env.PATH ?? '').split(delimiter), ...MORE_FOLDERS];
  const missing = wanted.filter((name) => find(name, searched) === undefined);
  const roots: string[] = [];
  for (const name of missing) {
    const root = await unpackedPackage(join(toolchain, 'deb'), name, report);
    if (root === undefined) throw new ProgramsMissingError(adviceFor(missing));
    roots.push(root);
  }
  const folders = ['usr/bin', 'usr/sbin', 'bin', 'sbin'];
  searched.push(...roots.flatMap((root) => folders.map((folder) => join(root, folder))));
  const libraries = roots.flatMap(libraryFolders).join(delimiter);
  const env = roots.length > 0 ? { ...process.env, LD_LIBRARY_PATH: libraries } : process.env;
  const path = { 'nats-server': '', 'redis-server': '', haproxy: '', nginx: '' };
  for (const name of wanted) {
    path[name] = find(name, searched) ?? '';
    if (!succeeds(path[name], [versionOption[name]], env)) {
      throw new ProgramsMissingError(adviceFor([name]));
    }
  }
  return { path, env };
}

function find(name: string, folders: string[]): string | undefined {
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Folders such as usr/lib/x86_64-linux-gnu. */
function libraryFolders(root: string): string[] {
  return ['usr/lib', 'lib'].flatMap((parent) => {
    try {
      const entries = readdirSync(join(root, parent));
      return entries
        .filter((entry) => entry.includes('-linux-'))
        .map((entry) => join(root, parent, entry));
    } catch {
      return [];
    }
  });
}

function adviceFor(missing: readonly string[]): string {
  const brew = missing.map((name) => (name === 'redis-server' ? 'redis' : name));
  return [
    `${missing.join(' and ')} was neither found nor downloaded. Install it, or use existing servers:`,
    `  Debian, Ubuntu:  sudo apt-get install ${missing.join(' ')}`,
    `  macOS:           brew install ${brew.join(' ')}`,
    '  Docker:          docker compose --file deploy/compose/servers.yaml up --detach --wait, then start with the',
    '                   three addresses in this file: DATABASE_URL, NATS_URL, REDIS_URL',
  ].join('\n');
}
