import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { topology } from '@event-api/contracts/topology';
import { root } from '../settings/settings.ts';

/**
 * Reads the settings of a process from an empty environment. The error names each one without a
 * default.
 */
const readConfigScript = `
  for (const [name, file] of JSON.parse(process.argv[1])) {
    const { config } = await import(file);
    try { config(); } catch (error) { console.log(name + '\\n' + error.message); }
  }`;

/**
 * The settings without a default, by process. Errors: the output of a configuration that cannot be
 * loaded.
 */
export function requiredSettings(): Record<string, string[]> {
  const files = topology.map(({ name, folder }) => [name, join(root, folder, 'src/config.ts')]);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', readConfigScript, JSON.stringify(files)],
    { env: {}, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`failed to read the settings of the processes: ${stderr}`);
  return Object.fromEntries(
    topology.map(({ name }) => {
      const [, text = ''] = new RegExp(`^${name}\\n.*\\n((?: {2}.*\\n)*)`, 'm').exec(stdout) ?? [];
      const missing = [...text.matchAll(/^ {2}(\w+) is missing$/gm)];
      return [name, missing.map(([, setting = '']) => setting).toSorted()];
    }),
  );
}
