import type { Checkin, FoundOrder, Registration } from '../../api/records.ts';
import type { CsvColumn, ReadColumn } from '../../components/list/export-button.tsx';
import { divideIds } from './registrations.rules.ts';

/**
 * The columns that need no other reads. The file has the id of the order also without its number.
 */
export const columnsOf = ({
  ticketOf,
  hasEmails,
}: {
  ticketOf: (row: Registration) => string;
  hasEmails: boolean;
}): readonly CsvColumn<Registration>[] => [
  { header: 'id', value: ({ id }) => id },
  { header: 'name', value: ({ name }) => name },
  ...(hasEmails ? [{ header: 'email', value: ({ email }: Registration) => email }] : []),
  { header: 'ticket', value: ticketOf },
  { header: 'status', value: ({ status }) => status },
  { header: 'order', value: ({ orderId }) => orderId },
  { header: 'badge', value: ({ checkinCode }) => checkinCode },
  { header: 'registered_at', value: ({ registeredAt }) => registeredAt },
];

/** The number of the order, read in parts of ids. */
export const orderNumberColumn = (eventId: string): ReadColumn<Registration> => ({
  header: 'order_number',
  readValues: async (rows, read) => {
    const numbers = new Map<string, string>();
    for (const orderIds of divideIds(rows.flatMap(({ orderId }) => orderId ?? []))) {
      const { orders } = await read<{ orders: FoundOrder[] }>('order.find', { eventId, orderIds });
      for (const { id, orderNumber } of orders) numbers.set(id, orderNumber);
    }
    return ({ orderId }) => (orderId === null ? null : numbers.get(orderId));
  },
});

/** When the person has passed the entrance of the event, read in parts of ids. */
export const checkedInColumn = (eventId: string): ReadColumn<Registration> => ({
  header: 'checked_in_at',
  readValues: async (rows, read) => {
    const times = new Map<string, string>();
    for (const registrationIds of divideIds(rows.map(({ id }) => id))) {
      const input = { registrationIds, subjectId: eventId };
      const { checkins } = await read<{ checkins: Checkin[] }>('checkin.find', input);
      for (const { registrationId, checkedInAt } of checkins) {
        times.set(registrationId, checkedInAt);
      }
    }
    return ({ id }) => times.get(id);
  },
});
