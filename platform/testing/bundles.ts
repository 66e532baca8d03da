import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { instrument } from './switches/instrument.ts';

const root = join(import.meta.dirname, '../..');
/** How long the bundles of former sources are kept. */
const keptMs = 24 * 3600 * 1000;

/** Everything that a process may load. */
const sources = [
  '{contracts,rules,platform,gateway,payment-sandbox,identity-sandbox}/src/**/*.ts',
  '{services/*,console/server}/src/**/*.ts',
  'platform/testing/switches/*.ts',
];

/**
 * Bundles each process into one file, `<folder of its main.ts>.mjs` below the folder that is
 * returned, so that it starts with a quarter of the CPU time. Bundles are for tests: they are
 * instrumented with steps and guards. The folder is named by the hash of
 * all sources; an unchanged tree is not bundled again.
 */
export async function bundleProcesses(): Promise<string> {
  const files = globSync(sources, { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const parent = join(root, '.toolchain/bundles');
  const folder = join(
    parent,
    hashOf([...files.sort(), 'pnpm-lock.yaml', 'platform/testing/bundles.ts']),
  );
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  const mains = files.filter((file) => file.endsWith('/src/main.ts'));
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(mains.map((file) => [file.replace('/src/main.ts', ''), file])),
    platform: 'node',
    logLevel: 'silent',
    // Removing unused code also removes calls for their exceptions, such as decodeURIComponent in a
    // try.
    treeshake: false,
    plugins: [instrumented, keepPlaces],
  });
  await bundle.write({
    dir: draft,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[hash].mjs',
    minify: false,
  });
  await bundle.close();
  for (const old of globSync(`${parent}/*`)) {
    // A concurrent run may use the bundles of other sources.
    const isOld = performance.timeOrigin - statSync(old).mtimeMs > keptMs;
    if (isOld) rmSync(old, { recursive: true, force: true });
  }
  if (existsSync(folder)) rmSync(draft, { recursive: true });
  else renameSync(draft, folder);
  return folder;
}

function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

const instrumented: Plugin = { name: 'instrumented', transform: instrument };

/** Modules find their resources beside their own file, not beside the bundle. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform(code, id) {
    const places = {
      'import.meta.url': pathToFileURL(id).href,
      'import.meta.dirname': dirname(id),
      __dirname: dirname(id),
      __filename: id,
    };
    const used = Object.entries(places).filter(([name]) => code.includes(name));
    return used.reduce((text, [name, place]) => {
      // ES modules that need these names define them.
      if (new RegExp(`(const|let|var) ${name}\\b`).test(code)) return text;
      return text.replace(new RegExp(`(?<![\\w.$'"])${name}\\b`, 'g'), JSON.stringify(place));
    }, code);
  },
};
