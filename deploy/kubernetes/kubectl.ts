import { spawnSync } from 'node:child_process';

export const NAMESPACE = 'event-api';

/** kubectl cannot be run, or has failed. */
export class KubectlError extends Error {}

/** Runs kubectl in the namespace and returns its output. Errors: KubectlError with what it printed. */
export function kubectl(args: readonly string[], input?: string): string {
  const { status, stdout, stderr, error } = spawnSync('kubectl', ['-n', NAMESPACE, ...args], {
    encoding: 'utf8',
    ...(input !== undefined && { input }),
  });
  if (error) throw new KubectlError(`kubectl cannot be run: ${error.message}`);
  if (status !== 0) throw new KubectlError(`kubectl ${args.join(' ')} failed:\n${stderr}${stdout}`);
  return stdout;
}
