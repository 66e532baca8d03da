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
      const wanted = await deployments(kubectl);
      let samples = 0;
      let isDraining = true;
      // The pods themselves: the status of a Deployment follows them later.
      const sample = async () => {
        while (isDraining) {
          const pods = await processPods(kubectl);
          for (const { name, wanted: count } of wanted) {
            const own = pods.filter(({ process }) => process === name);
            const ready = own.filter(({ isReady }) => isReady);
            assert.ok(ready.length >= count - 1, `${name}: ${JSON.stringify(own)}`);
          }
          samples += 1;
        }
      };
      const draining = kubectl
        .run(['drain', node, '--delete-emptydir-data', '--timeout=5m'])
        .finally(() => {
          isDraining = false;
        });
      await Promise.all([draining, sample()]);
      assert.ok(wanted.every((each) => each.wanted > 1) && samples > 0);
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
