import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const preload = pathToFileURL(join(import.meta.dirname, 'instrument-sources.ts')).href;

/**
 * The settings of a process that runs its sources with these switches, such as
 * `kill:admission.written` or `file:path`.
 */
export const switchedProcess = (switches: string) => ({
  NODE_ENV: 'test' as const,
  NODE_OPTIONS: `--import ${preload}`,
  TEST_SWITCHES: switches,
});
