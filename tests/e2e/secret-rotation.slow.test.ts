import { listUnits } from '@event-api/contracts/operator/units';
import { apiProcessNames } from '@event-api/contracts/topology';
import { rotateSecrets } from '@event-api/deploy/secrets/secrets.commands';
import { rotationSteps } from '@event-api/deploy/secrets/secrets.rules';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReplicasFixture, preStopMs, type ReplicasFixture } from './fixtures/replicas.ts';
import { type SecretServers, startSecretServers } from './fixtures/secret-servers.ts';
import { tryLogins } from './logins.ts';
import { expectNoFaults, newLoad, waitForMoreResponses } from './replica-load.ts';

/**
 * The credentials to replace, the processes that have them, and the steps after which these are
 * restarted. A caller key concerns every process in every step; a login only its own, once. The
 * payment sandbox has one replica, so its restart is not part of this test.
 */
const { rotated, processes, restartAfter } =
  process.env.TEST_SIZE === 'full'
    ? {
        rotated: ['caller-key', 'database', 'nats', 'redis'],
        processes: apiProcessNames,
        restartAfter: rotationSteps,
      }
    : {
        rotated: ['gateway/database', 'gateway/redis', 'onsite/database', 'onsite/nats'],
        processes: ['gateway', 'onsite'] as const,
        restartAfter: ['use'] as const,
      };

let secrets: SecretServers;
let platform: ReplicasFixture;

beforeAll(async () => {
  secrets = await startSecretServers();
  const { servers, dataDir, settingsOf } = secrets;
  const names = [...apiProcessNames, 'payment-sandbox'];
  const env = Object.fromEntries(names.map((name) => [name, settingsOf(name)]));
  platform = await createReplicasFixture({ servers, dataDir, env });
});
afterAll(async () => {
  await platform?.stop();
  await secrets?.stop();
});

const settingsOfAll = () =>
  Object.fromEntries(processes.map((name) => [name, secrets.settingsOf(name)]));

/** Expects that the servers accept, or reject, every login of these settings. */
async function expectLogins(
  settings: Record<string, Record<string, string>>,
  isAccepted: boolean,
): Promise<void> {
  for (const [reader, own] of Object.entries(settings)) {
    // NATS reads its changed users in the background.
    await eventually(async () => {
      const results = await tryLogins(own);
      expect(Object.keys(results).length).toBeGreaterThan(0);
      for (const [setting, accepted] of Object.entries(results)) {
        expect([reader, setting, accepted]).toEqual([reader, setting, isAccepted]);
      }
    });
  }
}

test('a rotation under load causes no failed request', async () => {
  const load = await newLoad(platform, { clients: 4, restMs: 50 });
  await waitForMoreResponses(load, 20);
  const before = settingsOfAll();
  const roll = () =>
    Promise.all(
      processes.map((name) =>
        platform.roll(name, { pauseMs: preStopMs() / 20, env: secrets.settingsOf(name) }),
      ),
    );
  for (const step of rotationSteps) {
    rotateSecrets(secrets.folder, step, rotated);
    if (step === 'use') await expectLogins(settingsOfAll(), true);
    await secrets.applyToServers();
    if (restartAfter.some((each) => each === step)) await roll();
    await waitForMoreResponses(load, 20);
    expectNoFaults(load, platform);
  }
  await load.stop();
  expectNoFaults(load, platform);
  expect(platform.bus.alarms()).toEqual([]);
  await expectLogins(settingsOfAll(), true);
  await expectLogins(before, false);
}, 400_000);

test.runIf(rotated.includes('caller-key'))(
  'an operator with a replaced key is rejected',
  async () => {
    // This client still signs with the first key.
    await expect(platform.bus.operator.call(listUnits, {})).rejects.toMatchObject({ status: 401 });
  },
);

test('a server rejects a new password until its first step is applied', async () => {
  rotateSecrets(secrets.folder, 'accept', rotated);
  rotateSecrets(secrets.folder, 'use', rotated);
  await expectLogins(settingsOfAll(), false);
  await secrets.applyToServers();
  await expectLogins(settingsOfAll(), true);
});
