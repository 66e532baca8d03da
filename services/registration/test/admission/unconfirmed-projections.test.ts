import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  call,
  currentEvent,
  eventPath,
  inside,
  operator,
  scope,
  service,
  typeId,
  useRegistration,
} from '../context.ts';
import { changeType, createTestTicketType, someEmail } from '../fixtures.ts';
import { addOwnerSnapshot, register, typeData } from '../projection-fixtures.ts';
import { orders } from './orders.ts';

useRegistration();

const { seat, reservationInput, reserve } = orders(currentEvent);

/** What exists before the database of catalog is put back. */
let registrationId: string;
let applicationId: string;
let reservation: object;
async function createRegistrations(): Promise<void> {
  const approvedTypeId = await createTestTicketType(service.sql, scope, { requiresApproval: true });
  ({ id: registrationId } = await register(call, scope, { registrationTypeId: typeId }));
  ({ id: applicationId } = await register(call, scope, { registrationTypeId: approvedTypeId }));
  reservation = reservationInput();
  await reserve(reservation);
  // A fetch that began in a test can end after it, when catalog responds again.
  addEvent();
  addType(typeId);
  addType(approvedTypeId, { requiresApproval: true });
}

const addEvent = () =>
  addOwnerSnapshot(service.owner, scope, 'catalog.event', scope.eventId, {
    name: 'Summit',
    status: 'published',
    endsAt: null,
    currency: 'EUR',
    form: null,
  });
const addType = (id: string, fields: object = {}) =>
  addOwnerSnapshot(service.owner, scope, 'catalog.ticket_type', id, typeData(fields), 1);
afterEach(() => {
  service.owner.trust = 'confirmed';
});

const post = (path: string, body: object = {}) => call('POST', `${eventPath}/${path}`, { body });
const newRegistration = () => ({ email: someEmail(), registrationTypeId: typeId });

const decisions = {
  'a registration': () => post('registrations', newRegistration()),
  'a changed registration': () =>
    call('PATCH', `${eventPath}/registrations/${registrationId}`, { body: { email: someEmail() } }),
  'an approval': () => post(`registrations/${applicationId}/approve`),
  'a rejection': () => post(`registrations/${applicationId}/reject`),
  'a cancellation': () => post(`registrations/${registrationId}/cancel`),
  'a confirmation by an operator': () =>
    operator('POST', '/operator/registration.confirm', {
      body: { ...scope, registrationId: applicationId, reason: 'Guest' },
    }),
  'a redemption code': () => post('redemption-codes', { registrationTypeId: typeId }),
  'the limits of an event': () =>
    operator('POST', '/operator/event.setLimits', { body: { ...scope, maxSeatsPerEmail: 3 } }),
  'the reservation of an order': () =>
    inside('POST', '/internal/reservations', { body: reservationInput([seat()]) }),
  'the fulfilment of an order': () =>
    inside('POST', '/internal/reservations/fulfil', { body: { ...reservation, reacquire: true } }),
};

/** All rows of the event that a decision can write. */
const written = () =>
  service.sql(
    `select (select jsonb_agg(r order by r.id) from registration.registration r where r.event_id = $1) as registrations,
       (select jsonb_agg(s order by s.id) from registration.seat_reservation s where s.event_id = $1) as reservations,
       (select jsonb_agg(c order by c.id) from registration.redemption_code c where c.event_id = $1) as codes,
       (select jsonb_agg(l) from registration.event_lock l where l.event_id = $1) as limits`,
    [scope.eventId],
  );

describe.each(Object.entries(decisions))('while catalog is away, %s', (_decision, decide) => {
  beforeEach(createRegistrations);

  test('is a 503 and changes nothing if its database is known to differ', async () => {
    const before = await written();
    Object.assign(service.owner, { trust: 'different', isUnavailable: true });
    const { status, headers } = await decide();
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({
      status: 503,
      retryAfter: expect.any(String),
    });
    expect(await written()).toEqual(before);
  });

  test('rests on the projections if nothing shows that its database differs', async () => {
    Object.assign(service.owner, { trust: 'unconfirmed', isUnavailable: true });
    expect((await decide()).status).toBeLessThan(300);
  });
});

describe('while catalog responds and its database was put back', () => {
  beforeEach(() => {
    service.owner.trust = 'different';
    addEvent();
  });

  test('nobody is registered for a ticket type that does not exist any more', async () => {
    expect((await post('registrations', newRegistration())).status).toBe(404);
  });

  test('nobody is registered in an event that does not exist any more', async () => {
    service.owner.snapshots.clear();
    expect((await post('registrations', newRegistration())).status).toBe(404);
  });

  test('the capacity of catalog counts, although the projection has a newer version', async () => {
    addType(typeId, { capacity: 1 });
    await changeType(service.sql, typeId, { capacity: 100 });
    expect((await post('registrations', newRegistration())).status).toBe(201);
    const { status, body } = await post('registrations', newRegistration());
    expect([status, body.error.details[0].reason]).toEqual([412, 'SOLD_OUT']);
  });
});
