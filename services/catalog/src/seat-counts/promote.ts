import {
  EventRecord,
  promoteWaitlistsOfGroups as ofGroups,
  promoteWaitlist as ofType,
  TicketTypeRecord,
} from '@event-api/contracts/internal/waitlist';
import type { Snapshot } from '@event-api/contracts/messages/snapshot';
import { withTimeout } from '@event-api/platform/core/deadline';
import type { Logger } from '@event-api/platform/core/log';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { timeouts } from '../timeouts.ts';

export interface PromoteDeps {
  refresher: ProjectionRefresher;
  log: Pick<Logger, 'warn'>;
  promotion: Promotion;
}

/** Client of registration's internal operations, and how long an update waits for a promotion. */
export interface Promotion {
  registration: ServiceClient;
  timeoutMs: number;
}

/** The share of the timeout that registration may use; the rest is for the network. */
const promotingShare = 0.8;

export const createPromotion = (
  createClient: (timeoutMs: number) => ServiceClient,
  timeoutMs = timeouts.promotionMs,
): Promotion => ({ registration: createClient(timeoutMs), timeoutMs });

/** The record that an update has changed, as registration projects it. */
interface Changed {
  id: string;
  read: () => Promise<Snapshot | null>;
}

/**
 * Requests registration to promote from the waitlists of the event of a changed ticket type, and
 * stores the seats in the projection, so that every later read contains them, even if the bus
 * delivers them later. Returns whether it has stored any.
 *
 * Stores nothing when registration is unavailable or too slow; registration then promotes when it
 * projects the changed ticket type. Never throws: the update itself is committed.
 */
export const promoteWaitlist = (deps: PromoteDeps, { id, read }: Changed): Promise<boolean> =>
  storeSeats(deps, id, async ({ registration, timeoutMs }) => {
    const input = { ticketType: TicketTypeRecord.parse(await read()), timeoutMs };
    const { seatLedger, seatLedgersOfGroups } = await registration.call(ofType, input);
    return [...(seatLedger ? [seatLedger] : []), ...seatLedgersOfGroups];
  });

/** As `promoteWaitlist`, for the changed capacity groups of an event. */
export const promoteWaitlistsOfGroups = (
  deps: PromoteDeps,
  { id, read }: Changed,
): Promise<boolean> =>
  storeSeats(deps, id, async ({ registration, timeoutMs }) => {
    const input = { event: EventRecord.parse(await read()), timeoutMs };
    return (await registration.call(ofGroups, input)).seatLedgersOfGroups;
  });

async function storeSeats(
  { refresher, log, promotion: { registration, timeoutMs } }: PromoteDeps,
  recordId: string,
  promote: (promotion: Promotion) => Promise<readonly Snapshot[]>,
): Promise<boolean> {
  try {
    const promotingMs = Math.round(timeoutMs * promotingShare);
    const deadline = performance.now() + timeoutMs;
    const seats = await promote({ registration, timeoutMs: promotingMs });
    const stored = await withTimeout(refresher.store(seats), deadline - performance.now());
    if (stored.outcome === 'late') throw new Error('the seats were not stored in time');
    return seats.length > 0;
  } catch (error) {
    log.warn(
      { err: error, recordId },
      'failed to promote the waitlist immediately, registration promotes later',
    );
    return false;
  }
}
