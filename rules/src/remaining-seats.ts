import type { EventStatus } from '@event-api/contracts/http/events';
import type { SaleStatus } from '@event-api/contracts/http/ticket-types';

/** A capacity that ticket types share, with the taken seats of all of them. */
export interface SharedCapacity {
  id: string;
  capacity: number;
  taken: number;
}

/** A ticket type with its taken seats, as far as they decide who may have the others. */
export interface Seats {
  status: SaleStatus;
  capacity: number | null;
  priceAmount: number;
  confirmed: number;
  /** All waitlisted registrations, with and without an offer. */
  waitlisted: number;
  /** Waitlisted registrations with an open offer. */
  offered: number;
  /** Seats of active reservations, which include offers. */
  reserved: number;
  /** The capacity that it shares with others. */
  group?: SharedCapacity | null;
}

/** What else decides it at a moment. */
export interface SaleMoment {
  eventStatus: EventStatus;
  saleHasEnded: boolean;
}

/** Seats that are not taken, of the type and of its group; infinitely many without any capacity. */
export const availableSeats = ({
  group = null,
  ...own
}: Pick<Seats, 'capacity' | 'confirmed' | 'reserved' | 'group'>): number =>
  Math.min(ownSeats(own), group ? seatsOfGroup(group) : Number.POSITIVE_INFINITY);

const ownSeats = ({
  capacity,
  confirmed,
  reserved,
}: Pick<Seats, 'capacity' | 'confirmed' | 'reserved'>): number =>
  capacity === null ? Number.POSITIVE_INFINITY : Math.max(0, capacity - confirmed - reserved);

/** Seats of a group that no ticket type has taken. */
export const seatsOfGroup = ({ capacity, taken }: SharedCapacity): number =>
  Math.max(0, capacity - taken);

/**
 * Whether registrations of the type wait for a seat and may still get one. After the end of the
 * sale a seat that costs something is not offered any more.
 */
export const canPromote = (seats: Seats, { eventStatus, saleHasEnded }: SaleMoment): boolean =>
  seats.waitlisted > seats.offered &&
  seats.status !== 'archived' &&
  eventStatus !== 'archived' &&
  (seats.priceAmount === 0 || !saleHasEnded);

/**
 * The seats that are left for newcomers, or null for an unlimited type: none while the waitlist can
 * be promoted.
 */
export function remainingSeats(seats: Seats, moment: SaleMoment): number | null {
  if (seats.capacity === null && !seats.group) return null;
  return canPromote(seats, moment) ? 0 : availableSeats(seats);
}
