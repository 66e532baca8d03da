import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * Builds the console for evergreen browsers. tools/console/build.ts passes the output folder.
 */
export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    target: 'baseline-widely-available',
    // Every asset is a file of its own, so that the Content-Security-Policy needs no `data:`.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    // What most pages use is one file: many small ones compress worse. A lower number would load code
    // with the first page that it does not use.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 22 }] } },
    },
  },
});
