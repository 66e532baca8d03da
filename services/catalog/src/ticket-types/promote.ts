import {
  promoteWaitlist as operation,
  TicketTypeRecord,
} from '@event-api/contracts/internal/waitlist';
import type { Logger } from '@event-api/platform/core/log';
import type { Db } from '@event-api/platform/db/database';
import type { CallerSigner } from '@event-api/platform/http/caller-tokens';
import { createServiceClient, type ServiceClient } from '@event-api/platform/http/service-client';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { ticketTypeSource } from './queries.ts';

export interface PromoteDeps {
  db: Db;
  refresher: ProjectionRefresher;
  log: Pick<Logger, 'warn'>;
  promotion: Promotion;
}

/** Registration's internal operations, and how long a request waits for them. */
export interface Promotion {
  registration: ServiceClient;
  timeoutMs: number;
}

/** The share of the time that registration may spend on promoting; the rest is for the way there and back. */
const promotingShare = 0.8;

export function createPromotion(
  options: { url: string; signer: CallerSigner },
  timeoutMs = 500,
): Promotion {
  return { registration: createServiceClient({ ...options, timeoutMs }), timeoutMs };
}

/** The seats of a ticket type, as its responses show them. */
export interface SeatCounts {
  confirmed: number;
  waitlisted: number;
}

/**
 * Has registration promote people from the waitlist of a changed ticket type, and returns the seats.
 *
 * The seats are written to the projection before this returns, so every later read shows them, even
 * when the bus delivers them later. Null when registration is unavailable or too slow; it then
 * promotes when the changed record reaches it. Never fails: the change itself is committed.
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
    log.warn({ err: error, ticketTypeId: typeId }, 'the waitlist could not be promoted at once');
    return null;
  }
}
