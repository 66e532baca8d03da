import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProcessName, topology } from '@event-api/contracts/topology';
import type { Kubectl } from '../plane/kubectl.ts';
import { FAILING_DIGEST } from '../plane/nodes.ts';
import { digestOf } from '../plane/releases.ts';
import { run } from '../plane/run.ts';
import { deployments, jobs, processPods } from '../plane/state.ts';
import type { ClusterContext, Proof } from './proof.ts';
import { expectRunning, imageOf, rollOut, until } from './running.ts';

const failingDigest = `sha256:${FAILING_DIGEST.padEnd(64, '0')}`;

export const releases: readonly Proof<ClusterContext>[] = [
  {
    title: 'a rollout refuses an image whose digest no release has set, and changes nothing',
    async prove({ kubectl, manifests }) {
      const { status, stderr } = await manifests.rollOut('production', kubectl.env);
      assert.equal(status, 1);
      assert.match(stderr, /digest/);
      assert.deepEqual(await deployments(kubectl), []);
    },
  },
  ...[1, 2].map((release) => ({
    title: `release ${release} of all services rolls out`,
    async prove({ kubectl, manifests }: ClusterContext) {
      manifests.setAllDigests(release);
      await rollOut({ kubectl, manifests }, 'production');
      for (const { name } of topology) await expectRunning(kubectl, name, digestOf(name, release));
    },
  })),
  {
    title: 'finished jobs are named by what they run, and deleted later',
    async prove({ kubectl }) {
      const found = await jobs(kubectl);
      const migrations = found.filter(({ name }) => name.startsWith('migrate-onsite-'));
      assert.deepEqual(
        new Set(migrations.map(({ image }) => image)),
        new Set([1, 2].map((release) => imageOf('onsite', digestOf('onsite', release)))),
      );
      assert.deepEqual(
        found.filter(({ ttlSeconds }) => ttlSeconds === undefined),
        [],
      );
    },
  },
  {
    title: 'kubectl diff shows no difference after a rollout, and then only those of one service',
    async prove({ kubectl, manifests }) {
      assert.deepEqual(await differingObjects(kubectl, manifests.overlay('production')), []);
      manifests.setDigest('onsite', digestOf('onsite', 3));
      for (const folder of ['production', 'production/onsite']) {
        const found = await differingObjects(kubectl, manifests.overlay(folder));
        assert.deepEqual(
          found.map((each) => each.replace(/onsite-[a-z0-9]{10}$/, 'onsite-<hash>')),
          ['apps.v1.Deployment.event-api.onsite', 'batch.v1.Job.event-api.migrate-onsite-<hash>'],
        );
      }
    },
  },
  {
    title: 'npm run rollout releases one service alone',
    prove: (context) =>
      expectOnlyChanges(context, 'onsite', () => rollOut(context, 'production/onsite')),
  },
  {
    title: 'kubectl apply -k releases one service alone, and its pods wait for the migration',
    async prove(context) {
      const { kubectl, manifests } = context;
      manifests.setDigest('commerce', digestOf('commerce', 3));
      const image = imageOf('commerce', digestOf('commerce', 3));
      await expectOnlyChanges(context, 'commerce', async () => {
        await kubectl.run(['apply', '-k', manifests.overlay('production/commerce')]);
        let newWaited = false;
        const isComplete = async () => {
          const [pods, found] = [await processPods(kubectl), await jobs(kubectl)];
          const own = pods.filter((pod) => pod.image === image);
          const migration = found.find((job) => job.image === image);
          const isMigrated = migration?.outcome === 'complete';
          if (!isMigrated && own.some(({ isReady }) => isReady))
            assert.fail('a pod of the new release is ready before its migration is complete');
          newWaited ||= own.length > 0 && !isMigrated;
          return isMigrated;
        };
        await until(isComplete, 'the migration is complete');
        assert.ok(newWaited, 'no pod of the new release existed before the migration was complete');
        await kubectl.run(['rollout', 'status', 'deployment/commerce', '--timeout=5m']);
      });
      await expectRunning(kubectl, 'commerce', digestOf('commerce', 3));
    },
  },
  {
    title: 'a second kubectl apply -k of the same release changes nothing',
    prove: (context) =>
      expectOnlyChanges(context, undefined, async () => {
        const { kubectl, manifests } = context;
        await kubectl.run(['apply', '-k', manifests.overlay('production/commerce')]);
        await kubectl.run(['rollout', 'status', 'deployment/commerce', '--timeout=5m']);
      }),
  },
  {
    title: 'a failing migration leaves the old pods, by kubectl apply -k too',
    async prove(context) {
      const { kubectl, manifests } = context;
      manifests.setDigest('catalog', failingDigest);
      const before = await readyPods(kubectl, 'catalog');
      await kubectl.run(['apply', '-k', manifests.overlay('production/catalog')]);
      await until(async () => {
        const found = await jobs(kubectl);
        return found.some(
          ({ image, outcome }) => image.endsWith(failingDigest) && outcome === 'failed',
        );
      }, 'the migration has failed');
      assert.deepEqual(await readyPods(kubectl, 'catalog'), before);
      await kubectl.run(['rollout', 'undo', 'deployment/catalog']);
      await kubectl.run(['rollout', 'status', 'deployment/catalog', '--timeout=5m']);
      await expectRunning(kubectl, 'catalog', digestOf('catalog', 2));
    },
  },
  {
    title: 'a rollout with a failing migration changes no process, and prints why',
    async prove(context) {
      const { kubectl, manifests, logFile } = context;
      const reason = await failedMigration();
      writeFileSync(logFile, `2026-01-01T00:00:00Z stderr F ${reason}\n`);
      await expectOnlyChanges(context, undefined, async () => {
        const { status, stdout, stderr } = await manifests.rollOut(
          'production/catalog',
          kubectl.env,
        );
        assert.equal(status, 1);
        assert.match(stderr, /migrate-catalog-\w+ failed; no process was changed/);
        assert.ok(stderr.includes(reason), `${stdout}${stderr}`);
      });
      writeFileSync(logFile, '');
      manifests.setDigest('catalog', digestOf('catalog', 2));
      await rollOut(context, 'production/catalog');
    },
  },
  {
    title: 'kubectl rollout undo goes back to the old image of one service',
    async prove(context) {
      const { kubectl } = context;
      await expectOnlyChanges(context, 'onsite', async () => {
        await kubectl.run(['rollout', 'undo', 'deployment/onsite']);
        await kubectl.run(['rollout', 'status', 'deployment/onsite', '--timeout=5m']);
      });
      await expectRunning(kubectl, 'onsite', digestOf('onsite', 2));
    },
  },
];

const readyPods = async (kubectl: Kubectl, name: string) =>
  (await processPods(kubectl)).filter(({ process, isReady }) => process === name && isReady);

/** The pods of all other processes stay the same pods while `change` runs. */
async function expectOnlyChanges(
  { kubectl }: Pick<ClusterContext, 'kubectl'>,
  changed: ProcessName | undefined,
  change: () => Promise<void>,
): Promise<void> {
  const others = async () =>
    (await processPods(kubectl)).filter(({ process }) => process !== changed);
  const before = await others();
  assert.ok(before.length > topology.length);
  await change();
  assert.deepEqual(await others(), before);
}

/**
 * The objects in which the cluster differs from a folder: `apps.v1.Deployment.event-api.onsite`.
 */
async function differingObjects(kubectl: Kubectl, folder: string): Promise<string[]> {
  const { status, stdout, stderr } = await kubectl.try(['diff', '-k', folder]);
  // 1 says that there are differences.
  assert.ok(status === 0 || status === 1, `kubectl diff failed (${status}): ${stderr}`);
  const files = [...stdout.matchAll(/^diff .* \S+\/(\S+)$/gm)].map(([, file = '']) => file);
  return [...new Set(files)].toSorted();
}

/** What a migration writes when it cannot reach its database. */
async function failedMigration(): Promise<string> {
  const folder = join(import.meta.dirname, '../../../services/catalog');
  const { status, stderr } = await run([process.execPath, 'src/migrate.ts'], {
    cwd: folder,
    env: { ...process.env, MIGRATION_DATABASE_URL: 'postgres://owner@127.0.0.1:9/app' },
    timeoutMs: 5 * 60_000,
  });
  const reason = /^.*ECONNREFUSED.*$/m.exec(stderr)?.[0];
  assert.ok(status !== 0 && reason, `a migration without its database: ${status}, ${stderr}`);
  return reason.trim();
}
