import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound } from '@event-api/platform/errors';
import { isRerun } from '@event-api/platform/idempotency/scope';
import type { AdmissionRequest } from '../admission/requests.ts';
import { decideTwice } from '../copies/freshness.ts';
import { typeOfRegistration } from '../copies/queries.ts';
import { eventArchived, notPending, soldOut } from '../errors.ts';
import type { RegistrationDeps } from './create.ts';
import { findRegistration, type RegistrationRow, readRegistration } from './queries.ts';

type Kind = 'approve' | 'reject' | 'cancel';

const decidedBy: Record<Kind, readonly string[]> = {
  approve: ['confirmed', 'waitlisted'],
  reject: ['rejected'],
  cancel: [],
};

/**
 * Approves, rejects or cancels a registration. A seat that is given back goes at once to whoever has
 * waited longest.
 *
 * Errors: 404; 412 `EVENT_ARCHIVED`, `NOT_PENDING`, `SOLD_OUT`; 503. Emits: the seats.
 */
export async function moveRegistration(
  { db, admission, askOwner }: RegistrationDeps,
  scope: EventScope,
  asked: Extract<AdmissionRequest, { kind: Kind }>,
): Promise<RegistrationRow> {
  const typeId = await typeOfRegistration(db, scope, asked.registrationId);
  const { answer, rows } = await decideTwice({
    askOwner,
    scope,
    ticketTypeIds: typeId ? [typeId] : [],
    decide: () => admission.submit<Kind>(scope, asked),
    restsOnCopies: ({ answer: { outcome } }) =>
      outcome === 'event_archived' || outcome === 'sold_out',
  });
  switch (answer.outcome) {
    case 'unknown':
      throw notFound();
    case 'event_archived':
      throw eventArchived();
    case 'not_pending': {
      // Its own earlier run may have decided it.
      const row = isRerun() && (await findRegistration(db, scope, asked.registrationId));
      if (row && decidedBy[asked.kind].includes(row.status)) return row;
      throw notPending();
    }
    case 'sold_out':
      throw soldOut();
    case 'moved':
    case 'unchanged':
      return (
        rows.get(asked.registrationId) ??
        readRegistration(db, scope.businessUnitId, scope.eventId, asked.registrationId)
      );
  }
}
