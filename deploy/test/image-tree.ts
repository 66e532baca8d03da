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

/** Whether `path`, relative to the root, is sent to the image's builder: the last matching line of .dockerignore decides,
 *  and a line holds for all that lies below what it names. */
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

/** As Docker reads a line: `**` stands for any folders, `*` for a name, also one that begins with a dot. */
function toRegExp(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  const source = escaped
    .replaceAll('**/', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '(?:.*/)?');
  return new RegExp(`^${source}$`);
}

/** The words of the Dockerfile's own step. */
function installCommand(): string {
  const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  const [, command] = /^RUN (pnpm install .*)$/m.exec(dockerfile) ?? [];
  if (command === undefined) throw new Error('the Dockerfile installs nothing');
  return command;
}

/** The tree of the image, made by hand in an empty folder and then closed to writing. Answers the folder. */
export function buildImageTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'event-api-image-'));
  const ignoreFile = readFileSync(join(root, '.dockerignore'), 'utf8');
  cpSync(root, folder, {
    recursive: true,
    filter(source) {
      const path = relative(root, source);
      if (path === '') return true;
      if (/(^|\/)(node_modules|\.git|\.toolchain|\.data)$/.test(path)) return false;
      // A folder may hold what a later line takes back.
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
  // The project's own Node can be below a folder that only its owner may enter.
  copyFileSync(process.execPath, nodeIn(folder));
  setFolderModes(folder, 0o555);
  return folder;
}

/** The Node binary of an image tree, which every user can run. */
export const nodeIn = (folder: string): string => join(folder, 'node');

export function removeImageTree(folder: string): void {
  setFolderModes(folder, 0o755);
  rmSync(folder, { recursive: true, force: true });
}

/** Folders only: the files of packages are the very ones of pnpm's store. */
function setFolderModes(folder: string, mode: number): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) setFolderModes(join(folder, entry.name), mode);
  }
  chmodSync(folder, mode);
}
