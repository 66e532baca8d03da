import { refundOrder } from '@event-api/contracts/operator/refunds';
import { collectPerson } from '@event-api/tools/admin/person';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BusFixture, expectStatus } from './fixtures/bus.ts';
import {
  command,
  createCheckoutFixture,
  createSale,
  pay,
  randomEmail,
} from './fixtures/checkout.ts';

let bus: BusFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => bus?.stop());

test('one person is shown with registrations, orders, refunds and check-ins, and a service that is stopped as missing', async () => {
  const shop = await createSale(bus, { priceAmount: 2500 });
  const email = randomEmail();
  const { id, orderNumber } = await shop.placed({ email });
  await pay((await shop.confirm(id)).body.paymentUrl);
  const { registrationIds } = await shop.until(id, 'paid');
  const [registrationId] = registrationIds;
  await command(bus, shop, refundOrder, { orderId: id, amount: 100 });
  const entrance = { registrationId, subjectType: 'event' };
  const { checkin } = await expectStatus(
    shop.call,
    ['POST', `${shop.path}/checkins`, entrance],
    201,
  );
  const [{ checkinCode }] = await shop.registrations();
  const businessUnitId = shop.unitId;
  const person = {
    email,
    registrations: [{ id: registrationId, orderId: id, status: 'confirmed', perks: [] }],
    orders: [
      {
        id,
        status: 'paid',
        paymentAttempts: [{ status: 'succeeded' }],
        refunds: [{ amount: 100, cause: 'operator' }],
      },
    ],
    checkins: [checkin],
    missing: [],
  };
  for (const key of [{ email }, { checkinCode }, { orderNumber: orderNumber.toLowerCase() }]) {
    expect(await collectPerson(bus.operator, { businessUnitId, ...key })).toMatchObject(person);
  }
  await bus.processes.stop('commerce', 'SIGKILL');
  expect(await collectPerson(bus.operator, { businessUnitId, email })).toMatchObject({
    ...person,
    orders: null,
    missing: [{ part: 'orders', owner: 'commerce', reason: 'commerce does not respond' }],
  });
});
