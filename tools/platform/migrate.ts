import { pathToFileURL } from 'node:url';

/**
 * Runs the migrations of several processes, `node tools/platform/migrate.ts <file> …`, one after the other as they would wait for
 * each other anyway. They share this process, since most of their time goes into loading the same libraries.
 */
for (const file of process.argv.slice(2)) {
  await import(pathToFileURL(file).href).catch((error: Error) => {
    throw new Error(`${file} failed: ${error.message}`, { cause: error });
  });
}
