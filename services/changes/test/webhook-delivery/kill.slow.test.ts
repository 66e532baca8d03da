import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createTestCallers } from '@event-api/platform/testing/callers';
import { eventually } from '@event-api/platform/testing/eventually';
import { switchedProcess } from '@event-api/platform/testing/switches/switched-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUnit } from '../harness.ts';
import { startDeliveries, type TestDeliveries } from './harness.ts';
import { expectOrderPerObject, sequencesOf, startReceiver } from './receiver.ts';

let deliveries: TestDeliveries;
let callers: Awaited<ReturnType<typeof createTestCallers>>;
beforeAll(async () => {
  deliveries = await startDeliveries();
  callers = await createTestCallers(['gateway', 'changes']);
});
afterAll(() => deliveries?.close());

const unusedAddress = '127.0.0.1:9';

/**
 * Runs the service in a process of its own, without NATS and other services, until a fault kills
 * it.
 */
async function runUntilKilled(switches: string): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      INTERNAL_PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: deliveries.url,
      NATS_URL: `nats://${unusedAddress}`,
      CATALOG_INTERNAL_URL: `http://${unusedAddress}`,
      REGISTRATION_INTERNAL_URL: `http://${unusedAddress}`,
      COMMERCE_INTERNAL_URL: `http://${unusedAddress}`,
      ONSITE_INTERNAL_URL: `http://${unusedAddress}`,
      CALLER_PRIVATE_KEY: JSON.stringify(callers.privateJwks.changes),
      CALLER_PUBLIC_KEYS: JSON.stringify(callers.publicJwks),
      WEBHOOK_SECRETS_KEYS: deliveries.secretsKey,
      WEBHOOKS_ALLOW_LOOPBACK: '1',
      ...switchedProcess(switches),
    },
  });
  const [, signal] = await once(child, 'exit');
  return signal;
}

describe('a process that is killed', () => {
  test.each([
    ['after it has taken the endpoint', 'webhook.taken', 0],
    ['before it sends', 'webhook.sending', 0],
    ['between the response and its result', 'webhook.responded', 0],
    ['before it commits the result', 'webhook.written', 0],
    ['after it has committed the result', 'webhook.saved', 1],
  ])(
    '%s loses no change, keeps their order, and leaves the watermark below them',
    async (_, point, stored) => {
      const unit = newUnit();
      const receiver = await startReceiver();
      const { id } = await deliveries.createEndpoint({ unit, url: receiver.url });
      // Each change waits for the one before.
      await deliveries.addChanges(unit, ['ord_1', 'ord_1', 'ord_1', 'ord_1']);
      expect(await runUntilKilled(`kill:${point}`)).toBe('SIGKILL');
      const { watermark } = await deliveries.endpoint(id);
      expect(watermark).toBe(stored);
      expect(watermark).toBeLessThanOrEqual(receiver.received.length);

      const next = await deliveries.startProcess();
      await deliveries.sql(
        'update changes.webhook_endpoint set lease_until = now() where id = $1',
        [id],
      );
      await eventually(async () =>
        expect(await deliveries.endpoint(id)).toMatchObject({ watermark: 4 }),
      );
      await next.stop();
      expect(new Set(sequencesOf(receiver.received))).toEqual(new Set([1, 2, 3, 4]));
      expectOrderPerObject(receiver.received);
      await receiver.close();
    },
  );
});
