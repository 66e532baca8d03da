import type { OrderSeat } from '../orders/order-seats.rules.ts';

export interface Reopening {
  /** The lost registrations, each with its seat. */
  replaced: ReadonlyMap<string, string>;
  /** Those of the seats that were cancelled after their assignment. */
  endedIds: string[];
}

/** Decides what becomes of seats that are open at registration, which has lost who had them. */
export function decideReopening(
  seats: readonly Pick<OrderSeat, 'id' | 'registrationId' | 'status'>[],
  seatIds: readonly string[],
): Reopening {
  const assigned = seats.flatMap(({ id, registrationId, status }) =>
    registrationId !== null && seatIds.includes(id) ? [{ id, registrationId, status }] : [],
  );
  return {
    replaced: new Map(assigned.map(({ id, registrationId }) => [registrationId, id])),
    endedIds: assigned.flatMap(({ id, status }) => (status === 'cancelled' ? id : [])),
  };
}
