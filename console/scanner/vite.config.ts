import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const publicFolder = join(import.meta.dirname, 'public');

/**
 * Writes the files of the build and its version into the service worker, which keeps them for a
 * start without a network.
 */
const shell: Plugin = {
  name: 'shell',
  enforce: 'post',
  generateBundle(_, bundle) {
    const worker = bundle['service-worker.js'];
    if (worker?.type !== 'chunk') throw new Error('the build has no service worker');
    const others = Object.values(bundle).filter((file) => file !== worker);
    const hash = createHash('sha256').update(worker.code);
    for (const file of others) {
      hash.update(file.fileName).update(file.type === 'chunk' ? file.code : file.source);
    }
    const publicFiles = readdirSync(publicFolder);
    for (const name of publicFiles)
      hash.update(name).update(readFileSync(join(publicFolder, name)));
    const names = others.map(({ fileName }) => fileName).filter((name) => name !== 'index.html');
    const files = ['./', ...names, ...publicFiles];
    const version = hash.digest('hex').slice(0, 16);
    worker.code = worker.code.replaceAll('__SHELL__', JSON.stringify({ version, files }));
  },
};

/**
 * Builds the scanner for evergreen browsers. tools/console/build.ts passes the output folder.
 */
export default defineConfig(({ command }) => ({
  // A cell serves the same files at another path.
  base: command === 'build' ? './' : '/scanner/',
  plugins: [react(), shell],
  build: {
    target: 'baseline-widely-available',
    // Every asset is a file of its own, so that the Content-Security-Policy needs no `data:`.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        page: join(import.meta.dirname, 'index.html'),
        'service-worker': join(import.meta.dirname, 'src/shell/service-worker.ts'),
      },
      output: {
        entryFileNames: ({ name }) =>
          name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js',
      },
    },
  },
}));
