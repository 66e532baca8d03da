import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { topology } from '@event-api/contracts/topology';
import { runOnce } from '@event-api/local-servers/run-once';
import { root } from '../settings/settings.ts';
import { inheritedEnvironment } from './process-settings.ts';

/**
 * The modules that load the code of all processes without starting one, those with the most
 * libraries first.
 */
const entryFiles = [
  'platform/src/service/run-service.ts',
  ...topology.map(({ folder }) => `${folder}/src/app.ts`),
  ...['gateway/src/start.ts', 'console/server/src/start.ts'],
  ...['payment-sandbox/src/start.ts', 'identity-sandbox/src/start.ts'],
];

/**
 * Compiles the code of all processes once, before their first start on this machine. Otherwise ten
 * processes that start at the same time would each compile the same libraries. A failure is not
 * reported here: the process with the wrong code fails as well, and says why.
 */
export async function fillCompileCache(signal: AbortSignal): Promise<void> {
  const env = inheritedEnvironment();
  const folder = env.NODE_COMPILE_CACHE;
  if (!folder) return;
  const mark = join(folder, `filled-${process.version}`);
  if (existsSync(mark)) return;
  const command = [process.execPath, join(root, 'tools/platform/compile.ts'), ...entryFiles];
  try {
    await runOnce('compiling', command, { env, cwd: root, signal });
    writeFileSync(mark, '');
  } catch {
    signal.throwIfAborted();
  }
}
