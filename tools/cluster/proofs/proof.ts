import type { Cluster } from '../plane/control-plane.ts';
import type { Manifests } from '../plane/releases.ts';

/** What the proofs about a cluster work with. They run in order on one cluster. */
export interface ClusterContext extends Pick<Cluster, 'kubectl' | 'logFile'> {
  /** The manifests of the teams that release. */
  manifests: Manifests;
  /** A new empty folder. */
  createFolder(name: string): string;
}

/** A guarantee, and how it is tried. `prove` throws when it does not hold. */
export interface Proof<Context> {
  title: string;
  prove(context: Context): Promise<void>;
}
