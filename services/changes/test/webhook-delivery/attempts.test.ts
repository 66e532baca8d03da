import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteOldAttempts } from '../../src/webhook-delivery/cleanup.job.ts';
import { newUnit } from '../harness.ts';
import { startDeliveries, type TestDeliveries } from './harness.ts';

let deliveries: TestDeliveries;
beforeAll(async () => {
  deliveries = await startDeliveries();
});
afterAll(() => deliveries?.close());

test('the cleanup keeps the attempts of 30 days, and the newest of each endpoint', async () => {
  const unit = newUnit();
  const url = 'https://shop.example/';
  const [many, few] = [
    await deliveries.createEndpoint({ unit, url }),
    await deliveries.createEndpoint({ unit, url }),
  ];
  const add = (endpointId: string, count: number, age: string) =>
    deliveries.sql(
      `insert into changes.webhook_attempt (endpoint_id, business_unit_id, change_id, type, attempt, is_replay, result,
         duration_ms, attempted_at, url, cursor)
       select $1, $2, 'chg_' || n, 'order.paid', 1, false, 'delivered', 1, now() - $4::interval, 'https://shop.example/', 'MS54'
       from generate_series(1, $3) n`,
      [endpointId, unit, count, age],
    );
  await add(many.id, 1500, '31 days');
  await add(many.id, 2600, '29 days');
  await add(few.id, 10, '29 days');
  await deleteOldAttempts(deliveries.db, { perEndpoint: 100 });
  expect(await deliveries.attempts(few.id)).toHaveLength(10);
  const kept = (await deliveries.attempts(many.id)).map(({ change_id }) => change_id);
  expect(kept).toEqual(Array.from({ length: 100 }, (_, n) => `chg_${2501 + n}`));
});
