import { dirname } from 'node:path';
import type { Cluster } from './plane/control-plane.ts';
import type { ClusterPrograms } from './plane/programs.ts';

/** What a person needs to use a plane from another terminal, as lines for the terminal. */
export const howToUse = (
  { kubectl, logFile }: Pick<Cluster, 'kubectl' | 'logFile'>,
  programs: Pick<ClusterPrograms, 'kubectl'>,
): string => `The plane is ready. In another terminal:

  export KUBECONFIG='${kubectl.env.KUBECONFIG}' PATH="${dirname(programs.kubectl)}:$PATH"

kubectl logs prints ${logFile} of every pod. Ctrl-C stops everything.`;
