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
import { basename, join, relative } from 'node:path';
import { instructionsOf } from './dockerfile.ts';

export const root = join(import.meta.dirname, '../..');

/** An image of the Dockerfile: its tree stage, the stage that it is, and build arguments. */
export interface Image {
  name: string;
  stage: 'process-tree' | 'tools-tree';
  target: 'process' | 'console' | 'gateway' | 'tools';
  args: Record<string, string>;
}

export const toolsImage: Image = { name: 'tools', stage: 'tools-tree', target: 'tools', args: {} };

/**
 * The image of the process in this folder. Its package is the one that the folder's package.json
 * names.
 */
export function imageOf(name: string, folder: string): Image {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  return {
    name,
    stage: 'process-tree',
    target: name === 'console' || name === 'gateway' ? name : 'process',
    args: { PACKAGE: manifest.name, FOLDER: folder },
  };
}

/**
 * Whether `path`, relative to the root, is in the build context. The last matching line of
 * .dockerignore decides. A line for a folder also matches its content.
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

/**
 * Docker's patterns: `**` matches any folders, `*` matches a name, also one that begins with a dot.
 */
function toRegExp(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  const source = escaped
    .replaceAll('**/', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '(?:.*/)?');
  return new RegExp(`^${source}$`);
}

/**
 * Creates the file tree of an image in a new, read-only folder and returns the folder. It follows
 * the COPY, `pnpm install` and build instructions of the image's stages. Packages come from pnpm's
 * store, or from the registry if the store lacks one. Errors: the output of a command.
 */
export function buildImageTree({ name, stage, target, args }: Image): string {
  const folder = buildStage(name, stage, args);
  for (const { value } of instructionsOf(target, args)) {
    const [, other = stage, from = '', to = ''] =
      /^--from=(\S+) \/app\/(\S+) \/app\/(\S+)$/.exec(value) ?? [];
    if (other === stage) continue;
    const source = buildStage(name, other, args);
    cpSync(join(source, from), join(folder, to), { recursive: true });
    rmSync(source, { recursive: true, force: true });
  }
  // The Node of this repository may be below a private folder.
  copyFileSync(process.execPath, nodeIn(folder));
  setFolderModes(folder, 0o555);
  return folder;
}

/** The files of `/app` after the instructions of a stage. */
function buildStage(name: string, stage: string, args: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), `event-api-image-${name}-`));
  for (const { word, value } of instructionsOf(stage, args)) {
    if (word === 'COPY') copyFromContext(folder, value.split(/\s+/));
    else if (value.startsWith('pnpm install '))
      run(folder, value.replace('--offline', '--prefer-offline'));
    else if (value.startsWith('cd ')) run(folder, value);
  }
  return folder;
}

/**
 * `COPY <source> … <target>` from the build context. A target that ends with `/` is the folder of
 * the copies.
 */
function copyFromContext(folder: string, paths: string[]): void {
  const ignoreFile = readFileSync(join(root, '.dockerignore'), 'utf8');
  const target = paths.at(-1) ?? '';
  for (const path of paths.slice(0, -1)) {
    const to = target.endsWith('/') ? join(target, basename(path)) : target;
    cpSync(join(root, path), join(folder, to), {
      recursive: true,
      filter(source) {
        if (/(^|\/)(node_modules|\.git|\.toolchain|\.data)$/.test(source)) return false;
        // A later line may include a file of an excluded folder.
        return lstatSync(source).isDirectory() || isInContext(relative(root, source), ignoreFile);
      },
    });
  }
}

function run(folder: string, command: string): void {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, CI: 'true', NODE_ENV: 'production' },
  });
  if (status !== 0) throw new Error(`${command} failed\n${stdout}${stderr}`);
}

/** The Node binary of an image tree. Every user can run it. */
export const nodeIn = (folder: string): string => join(folder, 'node');

export function removeImageTree(folder: string): void {
  setFolderModes(folder, 0o755);
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Changes folders only, because files of packages are hard links into pnpm's store. It leaves the
 * folders of packages.
 */
function setFolderModes(folder: string, mode: number): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name !== '.pnpm')
      setFolderModes(join(folder, entry.name), mode);
  }
  chmodSync(folder, mode);
}
