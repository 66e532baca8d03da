import type { Registration } from '@event-api/contracts/http/registrations';
import type { z } from 'zod';
import type { RegistrationRow } from './registrations.queries.ts';

/** A registration as the API returns it. */
export function registrationView(row: RegistrationRow): z.input<typeof Registration> {
  return {
    id: row.id,
    eventId: row.eventId,
    email: row.email,
    name: row.name,
    status: row.status,
    type: row.type,
    registrationTypeId: row.ticketTypeId,
    redemptionCodeId: row.redemptionCodeId,
    orderId: row.orderId,
    attendeeId: row.attendeeId,
    contactId: row.contactId,
    checkinCode: row.checkinCode,
    registeredAt: row.registeredAt.toISOString(),
    cancelledAt: row.cancelledAt?.toISOString() ?? null,
    rejectionReason: row.rejectionReason,
    responses: row.responses,
    offerExpiresAt: row.offerExpiresAt?.toISOString() ?? null,
    offersMissed: row.offersMissed,
  };
}
