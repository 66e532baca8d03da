import type { EventScope } from '@event-api/contracts/internal/scope';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { someEmail, unique } from '../fixtures.ts';
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

/** The internal operations that another service calls for its orders. */
export function orders(at: () => OrderContext) {
  const post = (path: string, body: object) => at().inside('POST', path, { body });
  const done = async (path: string, body: object) => succeeded(await post(path, body));

  const seat = (ticketTypeId = at().typeId, email = someEmail()) => ({
    ticketTypeId,
    email,
    name: null,
  });

  return {
    post,
    seat,

    /** A reservation of seats; the buyer has the first one. */
    reservationInput(seats = [seat()], fields: object = {}) {
      const buyer = { email: seats[0]?.email ?? someEmail(), name: 'Buyer' };
      const rest = { addonIds: [] as string[], redemptionCode: null as string | null };
      const claimId = unique('ord');
      return { ...at().scope, claimId, buyer, seats, ...rest, isFree: true, ...fields };
    },

    reserve: (body: object) => done('/internal/claims', body),

    fulfil: (body: object, retake = false) => done('/internal/claims/fulfil', { ...body, retake }),

    release: async ({ claimId }: { claimId: string }): Promise<string> =>
      (await done('/internal/claims/release', { ...at().scope, claimId })).outcome,

    revoke: async (orderId: string): Promise<string[]> =>
      (await done('/internal/claims/revoke', { ...at().scope, orderId })).cancelled,

    /** Expires a reservation. */
    expire: ({ claimId }: { claimId: string }) =>
      at().service.sql('update registration.seat_claim set expires_at = now() where id = $1', [
        claimId,
      ]),

    availability: async (type = at().typeId) => {
      const path = `/v1/events/${at().scope.eventId}/ticket-types/${type}/availability`;
      return succeeded(await at().call('GET', path));
    },

    read: async (id: string) =>
      succeeded(await at().call('GET', `/v1/events/${at().scope.eventId}/registrations/${id}`)),
  };
}
