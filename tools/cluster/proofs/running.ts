import assert from 'node:assert/strict';
import { type ProcessName, topology } from '@event-api/contracts/topology';
import { waitUntil } from '@event-api/local-servers/probe';
import type { Kubectl } from '../plane/kubectl.ts';
import { digestOf } from '../plane/releases.ts';
import { deployments, processPods } from '../plane/state.ts';
import type { ClusterContext } from './proof.ts';

const TIMEOUT_MS = 5 * 60_000;

export const imageOf = (name: string, digest: string) =>
  `registry.example.com/event-api-${name}@${digest}`;

/** `npm run rollout`. Errors: its output. */
export async function rollOut(
  { kubectl, manifests }: Pick<ClusterContext, 'kubectl' | 'manifests'>,
  overlay: string,
): Promise<void> {
  const { status, stdout, stderr } = await manifests.rollOut(overlay, kubectl.env);
  assert.equal(status, 0, `${stdout}${stderr}`);
}

/**
 * Waits until `check` is true. Errors: it is not in time; a failed assertion of `check`, at once.
 */
export async function until(check: () => Promise<boolean>, what: string): Promise<void> {
  let failure: unknown;
  const isTrue = await waitUntil(async () => {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof assert.AssertionError)) throw error;
      failure = error;
      return true;
    }
  }, TIMEOUT_MS);
  if (failure) throw failure;
  assert.ok(isTrue, `not in time: ${what}`);
}

/** All pods of a process are ready and run this image, as many as its autoscaler wants at least. */
export async function expectRunning(
  kubectl: Kubectl,
  name: ProcessName,
  digest: string,
): Promise<void> {
  const scaler = await kubectl.get<{ spec: { minReplicas: number } }>(['hpa', name]);
  await until(async () => {
    const found = (await deployments(kubectl)).find((each) => each.name === name);
    return found?.available === found?.wanted && (found?.wanted ?? 0) >= scaler.spec.minReplicas;
  }, `${name} has its replicas`);
  const pods = await processPods(kubectl);
  const images = pods.filter(({ process }) => process === name).map(({ image }) => image);
  assert.deepEqual([...new Set(images)], [imageOf(name, digest)]);
}

/** A group of proofs that is chosen alone starts all services. The releases have left them running. */
export async function startUnlessRunning(
  context: Pick<ClusterContext, 'kubectl' | 'manifests'>,
): Promise<void> {
  const { kubectl, manifests } = context;
  if ((await deployments(kubectl)).length > 0) return;
  manifests.setAllDigests(1);
  await rollOut(context, 'production');
  for (const { name } of topology) await expectRunning(kubectl, name, digestOf(name, 1));
}
