import { type PlatformFixture, sharedPlatform } from '@event-api/e2e/fixtures/platform';
import { httpClient, type TestResponse } from '@event-api/platform/testing/http-client';
import { beforeAll, describe, expect, test } from 'vitest';

// Kind: a right that was given earlier is judged again later.

let platform: PlatformFixture;
beforeAll(async () => {
  platform = await sharedPlatform();
});

const ok = ({ status, body }: TestResponse, expected: number) => {
  expect({ status, error: body?.error }).toEqual({ status: expected, error: undefined });
  return body;
};

/**
 * A ticket for 1000 with a code for half of it, which one person has used: the person applied with
 * the code and was approved, so a seat is offered.
 */
async function approvedWithCode() {
  const { secret } = await platform.newUnit();
  const call = httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` });
  const event = ok(
    await call('POST', '/v1/events', { body: { name: 'Gala', timezone: 'UTC' } }),
    201,
  );
  const path = `/v1/events/${event.id}`;
  const type = { name: 'Seat', priceAmount: 1000, capacity: 9, requiresApproval: true };
  const { id: registrationTypeId } = ok(
    await call('POST', `${path}/ticket-types`, { body: type }),
    201,
  );
  ok(
    await call('PATCH', `${path}/ticket-types/${registrationTypeId}`, { body: { status: 'open' } }),
    200,
  );
  const published = { status: 'published', startsAt: '2030-05-10T08:00:00Z' };
  ok(await call('PATCH', path, { body: published }), 200);
  const discount = { type: 'percent', value: 50 };
  const code = { registrationTypeId, code: 'HALF', maxUses: 1, discount };
  const { redemptionCodes } = ok(
    await call('POST', `${path}/redemption-codes`, { body: code }),
    201,
  );
  const email = 'ada@example.com';
  const application = { email, registrationTypeId, redemptionCode: 'HALF' };
  const { registration } = ok(
    await call('POST', `${path}/registrations`, { body: application }),
    201,
  );
  const approved = ok(await call('POST', `${path}/registrations/${registration.id}/approve`), 200);
  expect(approved).toMatchObject({ status: 'waitlisted', offerExpiresAt: expect.any(String) });
  const item = { itemType: 'ticket_type', itemId: registrationTypeId, quantity: 1 };
  return {
    codeId: redemptionCodes[0].id as string,
    call,
    path,
    order: async (fields: object = {}) =>
      ok(await call('POST', `${path}/orders`, { body: { email, items: [item], ...fields } }), 201),
    stranger: () =>
      call('POST', `${path}/registrations`, {
        body: { email: 'eve@example.com', registrationTypeId, redemptionCode: 'HALF' },
      }),
  };
}

describe('a code that an applicant has used', () => {
  // pretix/pretix#165, pretix/pretix#1405: the state of a voucher after its use decides about the
  // ticket that it was used for.
  test('still gives its price in the order of the offer after it was disabled', async () => {
    const { call, path, codeId, order, stranger } = await approvedWithCode();
    ok(await call('POST', `${path}/redemption-codes/${codeId}/disable`), 200);
    expect(await order({ redemptionCode: 'HALF' })).toMatchObject({ totalAmount: 500 });
    expect((await stranger()).status).toBe(412);
  });

  test('still gives its price after it has expired', async () => {
    const { order, codeId } = await approvedWithCode();
    await platform.sql(
      "update registration.redemption_code set expires_at = now() - interval '1 day' where id = $1",
      [codeId],
    );
    expect(await order({ redemptionCode: 'HALF' })).toMatchObject({ totalAmount: 500 });
  });

  test('applies to the order of the offer that does not name it, and is used once', async () => {
    const { call, path, order } = await approvedWithCode();
    expect(await order()).toMatchObject({ totalAmount: 500, redemptionCode: 'HALF' });
    const { redemptionCodes } = ok(await call('GET', `${path}/redemption-codes`), 200);
    expect(redemptionCodes).toMatchObject([{ uses: 1 }]);
  });
});
