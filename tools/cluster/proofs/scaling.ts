import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kubectl } from '../plane/kubectl.ts';
import { run } from '../plane/run.ts';
import { deployments } from '../plane/state.ts';
import type { Proof } from './proof.ts';

const TIMEOUT_MS = 11 * 60_000;
const root = join(import.meta.dirname, '../../..');

/** Orders that cost commerce two cores, which its least number of pods does not carry. */
const { commerce } = JSON.parse(readFileSync(join(root, 'deploy/kubernetes/capacity.json'), 'utf8'))
  .operations.paidOrder.cpuMicros;
const sale = ['--orders', `${Math.floor(2e6 / commerce)}/s`];

export const scaling: readonly Proof[] = [
  {
    title: 'npm run scale gives a sale the pods that it plans, and sets them back',
    async prove({ kubectl }) {
      const before = await leastPods(kubectl);
      const applied = await scale(kubectl, ...sale, '--apply');
      assert.equal(applied.status, 0, applied.stderr);
      const during = await leastPods(kubectl);
      const raised = Object.keys(during).filter((name) => during[name] !== before[name]);
      assert.ok(raised.includes('commerce'), raised.join());
      for (const { name, available } of await deployments(kubectl))
        assert.ok(available >= (during[name] ?? 0), `${name} has ${available} pods`);
      assert.equal((await scale(kubectl)).status, 0);
      assert.equal((await scale(kubectl, '--reset')).status, 0);
      assert.deepEqual(await leastPods(kubectl), before);
    },
  },
  {
    title: 'npm run scale says that a release has set the autoscalers back',
    async prove({ kubectl, manifests }) {
      assert.equal((await scale(kubectl, ...sale, '--apply')).status, 0);
      await kubectl.run(['apply', '-k', manifests.overlay('production/commerce')]);
      const { status, stdout } = await scale(kubectl);
      assert.equal(status, 1);
      assert.match(stdout, /^commerce: .* a release has set it back/m);
      assert.equal((await scale(kubectl, '--reset')).status, 0);
    },
  },
];

const scale = (kubectl: Kubectl, ...args: string[]) =>
  run([process.execPath, join(root, 'deploy/kubernetes/scale/scale.ts'), 'production', ...args], {
    env: kubectl.env,
    timeoutMs: TIMEOUT_MS,
  });

async function leastPods(kubectl: Kubectl): Promise<Record<string, number>> {
  const { items } = await kubectl.get<{
    items: { metadata: { name: string }; spec: { minReplicas: number } }[];
  }>(['hpa']);
  return Object.fromEntries(items.map(({ metadata, spec }) => [metadata.name, spec.minReplicas]));
}
