import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { topology } from '@event-api/contracts/topology';
import { waitUntil } from '@event-api/local-servers/probe';
import { nodeNames } from '../plane/nodes.ts';
import { type DeploymentState, deployments, type ProcessPod, processPods } from '../plane/state.ts';
import type { ClusterContext, Proof } from './proof.ts';
import { startUnlessRunning } from './running.ts';

const TIMEOUT_MS = 5 * 60_000;
const SAMPLE_INTERVAL_MS = 100;

/** Those of the runbook. */
const drainOptions = (() => {
  const runbook = readFileSync(join(import.meta.dirname, '../../../docs/runbook.md'), 'utf8');
  const [, words] = /`kubectl drain <node> ([^`]+)`/.exec(runbook) ?? [];
  assert.ok(words, 'the runbook does not say how a node is drained');
  return words.split(' ');
})();

export const drains: readonly Proof<ClusterContext>[] = [
  {
    title: 'the pods of each process are in more than one zone',
    async prove({ kubectl, manifests }) {
      await startUnlessRunning({ kubectl, manifests });
      const pods = await processPods(kubectl);
      for (const { name } of topology) {
        const nodes = pods.filter(({ process }) => process === name).map(({ node }) => node);
        assert.ok(new Set(nodes).size > 1, `${name} is only on ${nodes.join()}`);
      }
    },
  },
  ...nodeNames.map((node) => ({
    title: `${node} is drained, and no process loses more than one pod at a time`,
    async prove({ kubectl }: ClusterContext) {
      const wanted = await deployments(kubectl);
      assert.ok(wanted.every((each) => each.wanted > 1));
      let isDraining = true;
      const draining = kubectl.run(['drain', node, ...drainOptions, '--timeout=5m']).finally(() => {
        isDraining = false;
      });
      const sampling = async () => {
        while (isDraining) {
          const pods = await processPods(kubectl);
          assert.deepEqual(processesBelow(wanted, pods, { missing: 1 }), [], JSON.stringify(pods));
          await wait(SAMPLE_INTERVAL_MS);
        }
      };
      await Promise.all([draining, sampling()]);
      assert.deepEqual(
        (await processPods(kubectl)).filter((pod) => pod.node === node),
        [],
      );
      await kubectl.run(['uncordon', node]);
      const areAllReady = async () =>
        processesBelow(wanted, await processPods(kubectl), { missing: 0 }).length === 0;
      assert.ok(await waitUntil(areAllReady, TIMEOUT_MS), 'not all pods came back');
    },
  })),
];

/**
 * The processes of which more than `missing` pods are not ready, by the pods themselves: the status
 * of a Deployment follows them later.
 */
const processesBelow = (
  wanted: readonly DeploymentState[],
  pods: readonly ProcessPod[],
  { missing }: { missing: number },
): string[] =>
  wanted
    .filter(({ name, wanted: count }) => {
      const ready = pods.filter(({ process, isReady }) => process === name && isReady);
      return ready.length < count - missing;
    })
    .map(({ name }) => name);
