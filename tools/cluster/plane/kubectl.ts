import { delimiter, dirname } from 'node:path';
import { type Ended, run } from './run.ts';

/** kubectl of the version of the cluster, as its administrator. */
export interface Kubectl {
  /** How the command ended. */
  try(args: readonly string[], input?: string): Promise<Ended>;
  /** Its output. Errors: when it does not exit with 0; the message has its output. */
  run(args: readonly string[], input?: string): Promise<string>;
  /** The object, or the list of objects. */
  get<Found>(args: readonly string[]): Promise<Found>;
  /** The environment in which other programs find this kubectl and the cluster. */
  env: NodeJS.ProcessEnv;
}

/** No command of a proof may take longer; a rollout waits at most ten minutes for a Deployment. */
const TIMEOUT_MS = 12 * 60_000;

/** Commands run with the namespace of the platform as their default. */
export function createKubectl(program: string, kubeconfig: string): Kubectl {
  const env = {
    ...process.env,
    KUBECONFIG: kubeconfig,
    PATH: [dirname(program), process.env.PATH].join(delimiter),
  };
  const attempt = (args: readonly string[], input?: string) =>
    run([program, ...args], { env, timeoutMs: TIMEOUT_MS, ...(input !== undefined && { input }) });
  const runOrThrow = async (args: readonly string[], input?: string) => {
    const { status, stdout, stderr } = await attempt(args, input);
    if (status === 0) return stdout;
    throw new Error(`kubectl ${args.join(' ')} failed (${status})\n${(stderr + stdout).trim()}`);
  };
  return {
    env,
    try: attempt,
    run: runOrThrow,
    get: async (args) => JSON.parse(await runOrThrow(['get', ...args, '-o', 'json'])),
  };
}
