import { getEvent, getOrder, getRegistration } from '@event-api/client';
import type { Api } from '../tool.ts';

// Records as they are, for the description of a change.

export const present = async (
  { client }: Pick<Api, 'client'>,
  path: { eventId: string; id: string },
) => {
  const { id, email, name, status } = await getRegistration({ client, path });
  return { id, email, name, status };
};

export const presentOrder = async ({ client }: Api, eventId: string, order: string) => {
  const found = await getOrder({ client, path: { eventId, orderId: order } });
  const { orderNumber, status, email, name, currency, totalAmount } = found;
  return { orderNumber, status, email, name, currency, totalAmount };
};

/** An order's seat; null if the order has none with this id. */
export async function presentSeat(
  { client }: Api,
  { eventId, order, seatId }: { eventId: string; order: string; seatId: string },
) {
  const { seats, items } = await getOrder({ client, path: { eventId, orderId: order } });
  const seat = seats.find(({ id }) => id === seatId);
  return seat ? { item: items[seat.itemIndex]?.name, status: seat.status } : null;
}

export const nameOfEvent = async ({ client }: Api, eventId: string) =>
  (await getEvent({ client, path: { eventId } })).name;
