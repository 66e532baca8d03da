import { pathToFileURL } from 'node:url';

/**
 * Runs the migrations of several processes in order: `node tools/platform/migrate.ts <file> …`. One
 * process runs all of them, because loading the libraries takes most of the time.
 */
for (const file of process.argv.slice(2)) {
  await import(pathToFileURL(file).href).catch((error: Error) => {
    throw new Error(`${file} failed: ${error.message}`, { cause: error });
  });
}
