import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { runOnce } from '@event-api/local-servers/run-once';
import { root } from '../settings/settings.ts';

/** The packages of browser code: the console, and the scanner that the gateway serves. */
export const webPackages = { console: 'console/web', scanner: 'console/scanner' } as const;
export type WebPackage = keyof typeof webPackages;

const builds = join(root, '.toolchain/web');

/** A build of this many other sources is kept, for a branch that is checked out again. */
const retainedBuilds = 3;

/** The command that builds the browser code in its folder; the folder of the result follows. */
export const buildCommand = 'node_modules/vite/bin/vite.js build --emptyOutDir --outDir';

/** Whether a file of the package is part of the build. */
const isSource = (path: string): boolean =>
  !/\.test\.tsx?$|^(node_modules|dist)\b|\.md$/.test(path);

/**
 * Builds browser code and resolves with the folder that holds it: the setting WEB_DIR of the
 * console process, or SCANNER_DIR of the gateway. The folder is named by a hash of what it is built
 * from, so a second call takes no time. `npm start` and the tests call it while the servers start;
 * the images have stages with the same command. Errors: the output of the build.
 */
export async function buildWeb(name: WebPackage, signal: AbortSignal): Promise<string> {
  const sources = join(root, webPackages[name]);
  const buildsOfPackage = join(builds, name);
  const folder = join(buildsOfPackage, sourceHash(sources));
  if (existsSync(folder)) return folder;
  mkdirSync(buildsOfPackage, { recursive: true });
  const draft = `${folder}.${process.pid}.draft`;
  const command = [process.execPath, ...buildCommand.split(' '), draft];
  try {
    const env = { ...process.env, NODE_ENV: 'production' };
    await runOnce(`the build of the ${name}`, command, { env, cwd: sources, signal });
    // Another process may have built the same sources meanwhile.
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  removeOldBuilds(buildsOfPackage, folder);
  return folder;
}

/**
 * A hash of the package, of the contracts and rules that it imports, and of the versions of the libraries.
 */
function sourceHash(sources: string): string {
  const hash = createHash('sha256').update(readFileSync(join(root, 'pnpm-lock.yaml')));
  for (const folder of [sources, join(root, 'contracts/src'), join(root, 'rules/src')]) {
    const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    for (const file of entries.filter(isSource).sort()) {
      const path = join(folder, file);
      if (statSync(path).isFile()) hash.update(file).update(readFileSync(path));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

function removeOldBuilds(buildsOfPackage: string, present: string): void {
  const age = (folder: string) => statSync(folder).mtimeMs;
  const others = readdirSync(buildsOfPackage)
    .map((name) => join(buildsOfPackage, name))
    .filter((folder) => folder !== present && !folder.endsWith('.draft'))
    .toSorted((one, other) => age(other) - age(one));
  for (const folder of others.slice(retainedBuilds))
    rmSync(folder, { recursive: true, force: true });
}

if (import.meta.main) {
  const [name = 'console'] = process.argv.slice(2);
  if (!(name in webPackages)) throw new Error(`there is no browser code named ${name}`);
  console.log(await buildWeb(name as WebPackage, new AbortController().signal));
}
