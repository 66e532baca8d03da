import assert from 'node:assert/strict';
import { topology } from '@event-api/contracts/topology';
import { waitUntil } from '@event-api/local-servers/probe';
import { nodeNames } from '../plane/nodes.ts';
import { deployments, processPods } from '../plane/state.ts';
import type { Context, Proof } from './proof.ts';

const TIMEOUT_MS = 5 * 60_000;

export const drains: readonly Proof[] = [
  {
    title: 'the pods of each process are in more than one zone',
    async prove({ kubectl }) {
      const pods = await processPods(kubectl);
      for (const { name } of topology) {
        const nodes = pods.filter(({ process }) => process === name).map(({ node }) => node);
        assert.ok(new Set(nodes).size > 1, `${name} is only on ${nodes.join()}`);
      }
    },
  },
  ...nodeNames.map((node) => ({
    title: `${node} is drained, and no process loses more than one pod at a time`,
    async prove({ kubectl }: Context) {
      let least = Number.POSITIVE_INFINITY;
      let isDraining = true;
      const sample = async () => {
        while (isDraining) {
          for (const { name, wanted, available } of await deployments(kubectl)) {
            assert.ok(available >= wanted - 1, `${name} has ${available} of ${wanted} pods`);
            least = Math.min(least, available);
          }
        }
      };
      const draining = kubectl
        .run(['drain', node, '--delete-emptydir-data', '--timeout=5m'])
        .finally(() => {
          isDraining = false;
        });
      await Promise.all([draining, sample()]);
      assert.ok(least >= 1);
      assert.deepEqual(
        (await processPods(kubectl)).filter((pod) => pod.node === node),
        [],
      );
      await kubectl.run(['uncordon', node]);
      const areAllAvailable = async () =>
        (await deployments(kubectl)).every(({ wanted, available }) => wanted === available);
      assert.ok(await waitUntil(areAllAvailable, TIMEOUT_MS), 'not all pods came back');
    },
  })),
];
