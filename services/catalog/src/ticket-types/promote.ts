import {
  promoteWaitlist as operation,
  TicketTypeRecord,
} from '@event-api/contracts/internal/waitlist';
import type { Logger } from '@event-api/platform/core/log';
import type { Db } from '@event-api/platform/db/database';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { timeouts } from '../timeouts.ts';
import { ticketTypeSource } from './ticket-types.queries.ts';

export interface PromoteDeps {
  db: Db;
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

/** The seat counts in the responses of a ticket type. */
export interface SeatCounts {
  confirmed: number;
  waitlisted: number;
}

/**
 * Requests registration to promote from the waitlist of a changed ticket type, and returns the seat
 * counts.
 *
 * The counts are written to the projection before this returns, so every later read contains them,
 * even if the bus delivers them later. Returns null when registration is unavailable or too slow;
 * registration then promotes when it projects the changed ticket type. Never throws: the update
 * itself is committed.
 */
export async function promoteWaitlist(
  { db, refresher, log, promotion: { registration, timeoutMs } }: PromoteDeps,
  businessUnitId: string,
  typeId: string,
): Promise<SeatCounts | null> {
  try {
    const record = await ticketTypeSource.read(db, businessUnitId, typeId);
    const ticketType = TicketTypeRecord.parse(record);
    const input = { ticketType, timeoutMs: Math.round(timeoutMs * promotingShare) };
    const { seatLedger } = await registration.call(operation, input);
    if (!seatLedger) return { confirmed: 0, waitlisted: 0 };
    await refresher.store(seatLedger);
    const { confirmed, waitlisted } = seatLedger.data;
    return { confirmed, waitlisted };
  } catch (error) {
    log.warn(
      { err: error, ticketTypeId: typeId },
      'failed to promote the waitlist immediately, registration promotes later',
    );
    return null;
  }
}
