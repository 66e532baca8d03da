import type { EventScope } from '@event-api/contracts/internal/scope';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { expireReservation, someEmail, unique } from '../fixtures.ts';
import type { TestRegistration } from '../harness.ts';
import { succeeded } from '../projection-fixtures.ts';

/**
 * Where the orders of a test are placed. Read for each call, because each test has its own event.
 */
export interface OrderContext {
  service: TestRegistration;
  inside: HttpClient;
  call: HttpClient;
  scope: EventScope;
  typeId: string;
}

interface TestSeat {
  ticketTypeId: string;
  email: string | null;
  name: string | null;
}

/** The internal operations that another service calls for its orders. */
export function orders(at: () => OrderContext) {
  const post = (path: string, body: object) => at().inside('POST', path, { body });
  const done = async (path: string, body: object) => succeeded(await post(path, body));

  const seat = (ticketTypeId = at().typeId, email: string = someEmail()) => ({
    ticketTypeId,
    email,
    name: null,
  });

  return {
    post,
    seat,

    /** A reservation of seats; the buyer has the first one. A seat without an email is open. */
    reservationInput(seats: TestSeat[] = [seat()], fields: object = {}) {
      const buyer = { email: seats[0]?.email ?? someEmail(), name: 'Buyer' };
      const rest = { addonIds: [] as string[], redemptionCode: null as string | null };
      const reservationId = unique('ord');
      return { ...at().scope, reservationId, buyer, seats, ...rest, price: 'free', ...fields };
    },

    reserve: (body: object) => done('/internal/reservations', body),

    fulfil: (body: object, reacquire = false) =>
      done('/internal/reservations/fulfil', { ...body, reacquire }),

    assign: (orderId: string, seatId: string, email: string, fields: object = {}) =>
      done('/internal/reservations/assign-seat', {
        ...{ ...at().scope, orderId, seatId, email, name: null, responses: null },
        ...fields,
      }),

    release: async ({ reservationId }: { reservationId: string }): Promise<string> =>
      (await done('/internal/reservations/release', { ...at().scope, reservationId })).outcome,

    revoke: async (orderId: string): Promise<string[]> =>
      (await done('/internal/reservations/revoke', { ...at().scope, orderId })).cancelled,

    revokeSeats: async (orderId: string, registrationIds: string[]): Promise<string[]> =>
      (
        await done('/internal/reservations/revoke-seats', {
          ...at().scope,
          orderId,
          registrationIds,
        })
      ).cancelled,

    handedOver: async (orderId: string): Promise<object[]> =>
      (await done('/internal/reservations/revoke', { ...at().scope, orderId })).handedOver,

    fulfilled: async (body: object): Promise<object[]> =>
      (await done('/internal/reservations/list-fulfilled', body)).reservations,

    /** Expires a reservation. */
    expire: ({ reservationId }: { reservationId: string }) =>
      expireReservation(at().service.sql, reservationId),

    availability: async (type = at().typeId) => {
      const path = `/v1/events/${at().scope.eventId}/ticket-types/${type}/availability`;
      return succeeded(await at().call('GET', path));
    },

    read: async (id: string) =>
      succeeded(await at().call('GET', `/v1/events/${at().scope.eventId}/registrations/${id}`)),
  };
}
