import { describe, expect, test } from 'vitest';
import { currentEvent, inside, scope, service, useRegistration } from '../context.ts';
import { errorSummary } from '../projection-fixtures.ts';
import { orders } from './orders.ts';

const { post, seat, reservationInput } = orders(currentEvent);

useRegistration({ ticketType: { capacity: 3 } });

const paths = [
  '/internal/reservations',
  '/internal/reservations/check',
  '/internal/reservations/fulfil',
  '/internal/reservations/release',
  '/internal/reservations/revoke',
  '/internal/badges/read',
];

describe.each(paths)('%s', (path) => {
  test('rejects every caller but another service with 401', async () => {
    const { signer } = service.callers;
    const { businessUnitId } = scope;
    const tokens = [
      await (await signer('gateway')).sign({ audience: 'api', businessUnitId }),
      await (await signer('gateway')).sign({ audience: 'service', businessUnitId }),
      await (await signer('admin')).sign({ audience: 'operator' }),
      await (await signer('commerce')).sign({ audience: 'api', businessUnitId }),
      'x',
    ];
    const { internalUrl, apiUrl } = service.replica(0);
    const send = (url: string, headers: Record<string, string>) =>
      fetch(`${url}${path}`, { method: 'POST', headers }).then(({ status }) => status);
    for (const token of tokens) expect(await send(internalUrl, { 'x-caller': token })).toBe(401);
    expect(await send(internalUrl, {})).toBe(401);
    const [apiToken = ''] = tokens;
    expect(await send(apiUrl, { 'x-caller': apiToken })).toBe(404);
  });

  const whole: Record<string, unknown> = {
    businessUnitId: 'unit_1',
    eventId: 'evt_1',
    reservationId: 'ord_1',
    orderId: 'ord_1',
    registrationId: 'reg_1',
    checkinCode: 'CHK-1',
    buyer: { email: 'ada@example.com', name: null },
    seats: [{ ticketTypeId: 'tt_1', email: 'ada@example.com', name: null }],
    addonIds: [],
    redemptionCode: null,
    price: 'free',
    reacquire: false,
  };
  const own: Record<string, string[]> = {
    '/internal/reservations': [
      'reservationId',
      'buyer',
      'seats',
      'addonIds',
      'redemptionCode',
      'price',
    ],
    '/internal/reservations/fulfil': ['reservationId', 'buyer', 'seats', 'reacquire'],
    '/internal/reservations/release': ['reservationId'],
    '/internal/reservations/revoke': ['orderId'],
    '/internal/badges/read': ['registrationId', 'checkinCode'],
  };

  test('rejects an invalid value of each field with 400 and its name', async () => {
    for (const field of ['businessUnitId', 'eventId', ...(own[path] ?? [])]) {
      for (const value of [7, 'a\0b', [7], {}]) {
        const response = await post(path, { ...whole, [field]: value });
        expect(response.status, `${field} ${JSON.stringify(value)}`).toBe(400);
        expect(response.body.error.details[0].field).toMatch(new RegExp(`^${field}`));
      }
    }
    expect((await inside('POST', path, { raw: '[]' })).status).toBe(400);
  });
});

test.each([
  [
    'an invalid email',
    { seats: [{ ticketTypeId: 'tt', email: 'x', name: null }] },
    'seats[0].email',
  ],
  ['a blank name', { buyer: { email: 'a@example.com', name: ' ' } }, 'buyer.name'],
  [
    'two seats for one person',
    {
      seats: ['a@example.com', 'A@Example.com'].map((email) => ({
        ticketTypeId: 'tt',
        email,
        name: null,
      })),
    },
    'seats[1].email',
  ],
  [
    '101 seats',
    {
      seats: Array.from({ length: 101 }, (_, n) => ({
        ticketTypeId: 'tt',
        email: `a${n}@example.com`,
        name: null,
      })),
    },
    'seats',
  ],
])('a reservation with %s is rejected with 400', async (_case, fields, expected) => {
  expect(
    errorSummary(await post('/internal/reservations', reservationInput([seat()], fields))),
  ).toEqual([400, expected]);
});
