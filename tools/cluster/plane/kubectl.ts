import { delimiter, dirname } from 'node:path';
import { type Ended, run, runOrFail } from './run.ts';

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
  const optionsWith = (input = '') => ({ env, timeoutMs: TIMEOUT_MS, input });
  const runKubectl: Kubectl['run'] = (args, input) =>
    runOrFail([program, ...args], optionsWith(input));
  return {
    env,
    try: (args, input) => run([program, ...args], optionsWith(input)),
    run: runKubectl,
    get: async (args) => JSON.parse(await runKubectl(['get', ...args, '-o', 'json'])),
  };
}
