import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound } from '@event-api/platform/core/errors';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import {
  eventArchived,
  notPending,
  registrationChanged,
  registrationClosed,
  soldOut,
} from '../errors.ts';
import { decideWithRefresh } from '../projections/decide-with-refresh.ts';
import {
  findRegistration,
  type RegistrationRow,
  readRegistration,
  typeOfRegistration,
} from '../registrations/registrations.queries.ts';
import type { AdmissionDeps } from './deps.ts';
import type { AdmissionRequest } from './requests.ts';

type Kind = 'approve' | 'reject' | 'cancel' | 'confirm';

const resultingStatuses: Record<Kind, readonly string[]> = {
  approve: ['confirmed', 'waitlisted'],
  reject: ['rejected'],
  cancel: ['cancelled'],
  confirm: ['confirmed'],
};

/**
 * Approves, rejects, cancels or confirms a registration. The same batch gives a released seat to
 * the first registration of the waitlist.
 *
 * Errors: 404; 412 `EVENT_ARCHIVED`, `REGISTRATION_CHANGED`, `NOT_PENDING`, `REGISTRATION_CLOSED`,
 * `SOLD_OUT`; 503. Emits: the seats.
 */
export async function changeStatus(
  { db, admission, refresher }: AdmissionDeps,
  scope: EventScope,
  request: Extract<AdmissionRequest, { kind: Kind }>,
): Promise<RegistrationRow> {
  const typeId = await typeOfRegistration(db, scope, request.registrationId);
  const { result, rows } = await decideWithRefresh({
    refresher,
    scope,
    ticketTypeIds: typeId ? [typeId] : [],
    decide: () => admission.submit<Kind>(scope, request),
    dependsOnProjections: ({ result: { outcome } }) =>
      outcome === 'event_archived' || outcome === 'sold_out',
  });
  switch (result.outcome) {
    case 'unknown':
      throw notFound('registration');
    case 'event_archived':
      throw eventArchived();
    case 'changed_meanwhile':
    case 'not_pending': {
      // An earlier run of the same request may have set the status.
      const row = isRetry() && (await findRegistration(db, scope, request.registrationId));
      if (row && resultingStatuses[request.kind].includes(row.status)) return row;
      throw result.outcome === 'not_pending' ? notPending() : registrationChanged(result.field);
    }
    case 'closed':
      throw registrationClosed();
    case 'sold_out':
      throw soldOut();
    case 'changed':
    case 'unchanged':
      return (
        rows.get(request.registrationId) ?? readRegistration(db, scope, request.registrationId)
      );
  }
}
