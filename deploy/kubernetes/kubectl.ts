import { spawnSync } from 'node:child_process';

/** kubectl cannot be run, or has failed. */
export class KubectlError extends Error {}

/** Runs kubectl and returns its output. Errors: KubectlError with what it printed. */
export type Kubectl = (args: readonly string[], input?: string) => string;

/** kubectl in a namespace. */
export const kubectlIn =
  (namespace: string): Kubectl =>
  (args, input) =>
    run(namespace, args, input);

function run(namespace: string, args: readonly string[], input?: string): string {
  const { status, stdout, stderr, error } = spawnSync('kubectl', ['-n', namespace, ...args], {
    encoding: 'utf8',
    ...(input !== undefined && { input }),
  });
  if (error) throw new KubectlError(`kubectl cannot be run: ${error.message}`);
  if (status !== 0) throw new KubectlError(`kubectl ${args.join(' ')} failed:\n${stderr}${stdout}`);
  return stdout;
}
