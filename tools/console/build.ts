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

const vite = 'node_modules/vite/bin/vite.js build --emptyOutDir --outDir';

/**
 * What is built to be served: the console, and the scanner and the client library of the gateway.
 * The command runs in the folder; the folder of the result follows it.
 */
export const builds = {
  console: { source: 'console/web', command: vite },
  scanner: { source: 'console/scanner', command: vite },
  client: { source: 'clients/typescript', command: 'scripts/build.ts' },
} as const;
export type BuildName = keyof typeof builds;

const results = join(root, '.toolchain/web');

/** A build of this many other sources is kept, for a branch that is checked out again. */
const retainedBuilds = 3;

/** Whether a file of the package is part of the build. */
const isSource = (path: string): boolean => !/\.test\.tsx?$|^(node_modules|dist|test)\b/.test(path);

/** The folder of the result, named by a hash of what it is built from. */
export const builtFolder = (name: BuildName): string =>
  join(results, name, sourceHash(join(root, builds[name].source)));

/**
 * Builds one of them and resolves with the folder of the result: the setting WEB_DIR of the console
 * process, SCANNER_DIR of the gateway, or the folder of its CLIENT_PACKAGE. A second call takes no
 * time. `npm start` and the tests call it; the images have stages with the same command. Errors: the
 * output of the build.
 */
export async function build(name: BuildName, signal: AbortSignal): Promise<string> {
  const { source, command: words } = builds[name];
  const sources = join(root, source);
  const folder = builtFolder(name);
  if (existsSync(folder)) return folder;
  const resultsOfName = join(results, name);
  mkdirSync(resultsOfName, { recursive: true });
  const draft = `${folder}.${process.pid}.draft`;
  const command = [process.execPath, ...words.split(' '), draft];
  try {
    const env = { ...process.env, NODE_ENV: 'production' };
    await runOnce(`the build of the ${name}`, command, { env, cwd: sources, signal });
    // Another process may have built the same sources meanwhile.
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  removeOldResults(resultsOfName, folder);
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

function removeOldResults(resultsOfName: string, present: string): void {
  const age = (folder: string) => statSync(folder).mtimeMs;
  const others = readdirSync(resultsOfName)
    .map((name) => join(resultsOfName, name))
    .filter((folder) => folder !== present && !folder.endsWith('.draft'))
    .toSorted((one, other) => age(other) - age(one));
  for (const folder of others.slice(retainedBuilds))
    rmSync(folder, { recursive: true, force: true });
}

if (import.meta.main) {
  const [name = 'console'] = process.argv.slice(2);
  if (!(name in builds)) throw new Error(`nothing is built under the name ${name}`);
  console.log(await build(name as BuildName, new AbortController().signal));
}
