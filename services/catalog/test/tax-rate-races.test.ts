import { eventually } from '@event-api/platform/testing/eventually';
import { createLatch } from '@event-api/platform/testing/latch';
import { atStep } from '@event-api/platform/testing/switches/switches';
import { expect, test } from 'vitest';
import { call, catalog, operator, unit, useCatalog } from './context.ts';
import { createTestEvent, pathOf, succeeded } from './fixtures.ts';

useCatalog();

test('a tax rate is not archived while a ticket type gets it', async () => {
  const event = await createTestEvent(call);
  const vat = { businessUnitId: unit, name: 'VAT', percentage: 1900, mode: 'inclusive' };
  const created = await operator('POST', '/operator/taxRate.create', { body: vat });
  const { id: taxRateId } = succeeded<{ id: string }>(created, 201);
  const checked = createLatch(2);
  const goOn = createLatch(2);
  atStep('tax-rate.checked', async () => {
    void checked.arrive();
    await goOn.arrive();
  });
  const types = `${pathOf(event)}/ticket-types`;
  const body = { name: 'Early bird', taxRateId };
  const creation = call('POST', types, { body });
  await checked.arrive();
  let isArchived = false;
  const input = { body: { businessUnitId: unit, taxRateId } };
  const archive = operator('POST', '/operator/taxRate.archive', input).then((response) => {
    isArchived = true;
    return response;
  });
  await eventually(async () => {
    const waiting = await catalog.sql(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(waiting).not.toEqual([]);
  });
  expect(isArchived).toBe(false);
  atStep('tax-rate.checked', () => {});
  void goOn.arrive();
  expect((await creation).status).toBe(201);
  expect((await archive).status).toBe(200);
  expect((await call('POST', types, { body: { ...body, name: 'Late' } })).status).toBe(400);
});
