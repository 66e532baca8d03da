import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/**
 * Whether `path`, relative to the root, is in the build context. The last matching line of .dockerignore decides. A line
 * for a folder also matches its content.
 */
export function isInContext(path: string, ignoreFile: string): boolean {
  const parts = path.split('/');
  const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  let ignored = false;
  for (const line of ignoreFile.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const pattern = line.replace(/^!/, '');
    if (prefixes.some((prefix) => toRegExp(pattern).test(prefix))) ignored = !line.startsWith('!');
  }
  return !ignored;
}

/** Docker's patterns: `**` matches any folders, `*` matches a name, also one that begins with a dot. */
function toRegExp(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  const source = escaped
    .replaceAll('**/', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '(?:.*/)?');
  return new RegExp(`^${source}$`);
}

/** The install command of the Dockerfile. */
function installCommand(): string {
  const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  const [, command] = /^RUN (pnpm install .*)$/m.exec(dockerfile) ?? [];
  if (command === undefined) throw new Error('the Dockerfile has no pnpm install');
  return command;
}

/** Creates the file tree of the image in a new, read-only folder and returns the folder. */
export function buildImageTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'event-api-image-'));
  const ignoreFile = readFileSync(join(root, '.dockerignore'), 'utf8');
  cpSync(root, folder, {
    recursive: true,
    filter(source) {
      const path = relative(root, source);
      if (path === '') return true;
      if (/(^|\/)(node_modules|\.git|\.toolchain|\.data)$/.test(path)) return false;
      // A later line may include a file of an excluded folder.
      return lstatSync(source).isDirectory() || isInContext(path, ignoreFile);
    },
  });
  const install = spawnSync('sh', ['-c', `${installCommand()} --prefer-offline`], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, CI: 'true', NODE_ENV: 'production' },
  });
  if (install.status !== 0)
    throw new Error(`pnpm install failed\n${install.stdout}${install.stderr}`);
  // The Node of this repository may be below a private folder.
  copyFileSync(process.execPath, nodeIn(folder));
  setFolderModes(folder, 0o555);
  return folder;
}

/** The Node binary of an image tree. Every user can run it. */
export const nodeIn = (folder: string): string => join(folder, 'node');

export function removeImageTree(folder: string): void {
  setFolderModes(folder, 0o755);
  rmSync(folder, { recursive: true, force: true });
}

/** Changes folders only, because files of packages are hard links into pnpm's store. */
function setFolderModes(folder: string, mode: number): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) setFolderModes(join(folder, entry.name), mode);
  }
  chmodSync(folder, mode);
}
