import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packedReadme } from './packed-readme.ts';

const folder = join(import.meta.dirname, '..');

/**
 * Builds the package that is published into `outDir`: JavaScript, types, README and a
 * `package.json` without what only this repository needs. Publish it with `npm publish <outDir>`.
 * Errors: the compiler rejects the code.
 */
export function build(outDir: string): void {
  rmSync(outDir, { recursive: true, force: true });
  // The compiler of this package, not the one of the repository: the generator needs this one, too.
  const tsc = join(folder, 'node_modules/typescript/bin/tsc');
  // Of the command line, only the JavaScript is published. The repository checks its types.
  for (const options of [['tsconfig.build.json'], ['tsconfig.cli.json', '--noCheck']]) {
    const [name = '', ...more] = options;
    const args = [tsc, '--project', join(folder, name), '--outDir', outDir, ...more];
    execFileSync(process.execPath, args, { stdio: 'inherit' });
  }
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  writeFileSync(join(outDir, 'README.md'), packedReadme(readme));
  const { name, version, description, license, engines } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const published = {
    ...{ name, version, description, license, engines },
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    bin: { 'event-api': 'cli/main.js' },
  };
  writeFileSync(join(outDir, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
}

/**
 * Builds the package as one file in `outDir` and returns its path: npm links a folder, which breaks
 * when only the program is copied.
 */
function pack(outDir: string): string {
  build(join(outDir, 'package'));
  const args = ['pack', join(outDir, 'package'), '--pack-destination', outDir, '--silent'];
  const file = execFileSync('npm', args, { encoding: 'utf8' }).trim();
  const path = join(outDir, 'client.tgz');
  renameSync(join(outDir, file), path);
  return path;
}

if (import.meta.main) {
  const [outDir = 'dist'] = process.argv.slice(2);
  const path = pack(resolve(folder, outDir));
  console.log(`The package is built. In the folder of your program:\n\n  npm install ${path}\n`);
}
