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

export const nameOfEvent = async ({ client }: Api, eventId: string) =>
  (await getEvent({ client, path: { eventId } })).name;
