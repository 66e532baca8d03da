import { activeStatuses } from '../../api/active-status.ts';
import type { Registration, TicketType } from '../../api/records.ts';

/** What can be done to many people at once. */
export const bulkActions = ['approve', 'confirm', 'reject', 'cancel', 'changeTicket'] as const;
export type BulkAction = (typeof bulkActions)[number];

type Status = Registration['status'];

/** The statuses that an action changes. People of another status stay as they are. */
const changed: Record<BulkAction, readonly Status[]> = {
  approve: ['pending'],
  confirm: ['waitlisted'],
  reject: ['pending'],
  cancel: activeStatuses,
  changeTicket: activeStatuses,
};

export interface BulkPlan {
  affected: readonly Registration[];
  /** How many stay because of their status. */
  staying: ReadonlyMap<Status, number>;
  /** How many have the new ticket already. */
  sameTicket: number;
  /** How many get an offer in place of a seat, because their ticket has a price. */
  offers: number;
  /** How many came with an order, which is not refunded. */
  ordered: number;
}

/** What an action does to the selected people. `ticketTypeId` is the new ticket. */
export function planBulk(
  action: BulkAction,
  people: readonly Registration[],
  types: readonly Pick<TicketType, 'id' | 'priceAmount'>[],
  ticketTypeId: string | null = null,
): BulkPlan {
  const isChanged = ({ status }: Registration) => changed[action].includes(status);
  const hasTicket = ({ registrationTypeId }: Registration) =>
    action === 'changeTicket' && ticketTypeId !== null && registrationTypeId === ticketTypeId;
  const priced = new Set(types.filter(({ priceAmount }) => priceAmount > 0).map(({ id }) => id));
  const affected = people.filter((person) => isChanged(person) && !hasTicket(person));
  const staying = new Map<Status, number>();
  for (const person of people) {
    if (!isChanged(person)) staying.set(person.status, (staying.get(person.status) ?? 0) + 1);
  }
  const count = (test: (person: Registration) => boolean) => affected.filter(test).length;
  return {
    affected,
    staying,
    sameTicket: people.filter((person) => isChanged(person) && hasTicket(person)).length,
    offers:
      action === 'approve'
        ? count(({ registrationTypeId: id }) => id !== null && priced.has(id))
        : 0,
    ordered: action === 'cancel' ? count(({ orderId }) => orderId !== null) : 0,
  };
}
