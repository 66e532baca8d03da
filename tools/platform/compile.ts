import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Loads modules, so that their code gets into the compile cache: `node tools/platform/compile.ts
 * <file> …`. It is written after each file, because other processes start meanwhile.
 */
for (const file of process.argv.slice(2)) {
  await import(pathToFileURL(join(process.cwd(), file)).href);
  flushCompileCache();
}
// Loaded modules may have started timers.
process.exit(0);
