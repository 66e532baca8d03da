import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProcessName, topology } from '@event-api/contracts/topology';
import { type Ended, run } from './run.ts';

const kubernetesFolder = join(import.meta.dirname, '../../../deploy/kubernetes');
const ROLLOUT_TIMEOUT_MS = 20 * 60_000;

/** A copy of deploy/kubernetes, in which teams release. */
export interface Manifests {
  /** The path of an overlay or of a folder of one: `production/onsite`. */
  overlay(name: string): string;
  /** Replaces text in a file of the copy. Errors: the file does not contain it. */
  edit(file: string, from: string | RegExp, to: string): void;
  /** Sets the digest of the image of a process, as a team does. */
  setDigest(process: ProcessName, digest: string): void;
  /** Sets the digests of all images, also that of the tools. */
  setAllDigests(release: number): void;
  /** `npm run rollout -- <overlay>` with these manifests. */
  rollOut(overlay: string, env: NodeJS.ProcessEnv): Promise<Ended>;
}

/** The digest of the image of a process in a release. */
export const digestOf = (name: string, release: number): string =>
  `sha256:${createHash('sha256').update(`${name} ${release}`).digest('hex')}`;

export function copyManifests(folder: string): Manifests {
  cpSync(kubernetesFolder, folder, { recursive: true });
  const overlay = (name: string) => join(folder, 'overlays', name);
  const edit: Manifests['edit'] = (file, from, to) => {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`${file} does not contain ${from}`);
    writeFileSync(path, changed);
  };
  const setDigestIn = (name: string, digest: string) =>
    edit(
      `overlays/production/${name}/kustomization.yaml`,
      /digest: sha256:[0-9a-f]{64}$/m,
      `digest: ${digest}`,
    );
  return {
    overlay,
    edit,
    setDigest: setDigestIn,
    setAllDigests(release) {
      for (const { name } of topology) setDigestIn(name, digestOf(name, release));
      for (const name of ['shared', 'operator']) setDigestIn(name, digestOf('tools', release));
    },
    rollOut: (name, env) =>
      run([process.execPath, join(folder, 'rollout.ts'), name], {
        env,
        timeoutMs: ROLLOUT_TIMEOUT_MS,
      }),
  };
}
