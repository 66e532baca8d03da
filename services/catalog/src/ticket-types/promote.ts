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

/**
 * Requests registration to promote from the waitlist of a changed ticket type, and stores its seats
 * in the projection, so that every later read contains them, even if the bus delivers them later.
 *
 * Stores nothing when registration is unavailable or too slow; registration then promotes when it
 * projects the changed ticket type. Never throws: the update itself is committed.
 */
export async function promoteWaitlist(
  { db, refresher, log, promotion: { registration, timeoutMs } }: PromoteDeps,
  businessUnitId: string,
  typeId: string,
): Promise<{ isStored: boolean }> {
  try {
    const record = await ticketTypeSource.read(db, businessUnitId, typeId);
    const ticketType = TicketTypeRecord.parse(record);
    const input = { ticketType, timeoutMs: Math.round(timeoutMs * promotingShare) };
    const { seatLedger } = await registration.call(operation, input);
    if (seatLedger) await refresher.store(seatLedger);
    return { isStored: seatLedger !== null };
  } catch (error) {
    log.warn(
      { err: error, ticketTypeId: typeId },
      'failed to promote the waitlist immediately, registration promotes later',
    );
    return { isStored: false };
  }
}
