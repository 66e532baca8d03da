import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface ScalarFiles {
  html: string;
  script: string;
}

/**
 * The page and the script of the reference. Scalar's plugin sends the script as a new string per
 * response, so the gateway takes both files from the plugin once and serves them itself. The plugin
 * is loaded in a thread that ends: it keeps the script twice, 17 MB. Errors: those of the plugin.
 */
export async function readScalarFiles(): Promise<ScalarFiles> {
  const worker = new Worker(new URL('./scalar-worker.ts', import.meta.url));
  try {
    const [files] = await once(worker, 'message');
    return files;
  } finally {
    await worker.terminate();
  }
}
