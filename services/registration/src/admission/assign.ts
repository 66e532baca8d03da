import type { assignSeat as assignOperation } from '@event-api/contracts/internal/reservations';
import { canonicalJson } from '@event-api/platform/http/canonical-json';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { z } from 'zod';
import { decideWithRefresh } from '../projections/decide-with-refresh.ts';
import { createPerson } from '../registrations/person.ts';
import { readRegistration } from '../registrations/registrations.queries.ts';
import { repeats } from '../reservations/assignment.rules.ts';
import type { AdmissionDeps } from './deps.ts';
import { findResponseIssues } from './validate-responses.ts';

type Input = z.output<typeof assignOperation.schema.body>;
type Result = z.input<(typeof assignOperation.schema.response)[200]>;

/**
 * Registers a person on an open seat of a fulfilled order, once: a repeated call for the same email
 * returns the same registration, unless it has another name or other responses. Anybody with a claim
 * link can call this, so it changes no registration.
 *
 * Errors: 404 for an unknown event; 503. Emits: the seats and the registration.
 */
export async function assignSeat(
  { db, admission, refresher }: AdmissionDeps,
  { businessUnitId, eventId, orderId, seatId, email, name, responses }: Input,
): Promise<Result> {
  const scope = { businessUnitId, eventId };
  await refresher.require(eventRef(scope));
  const issues = await findResponseIssues({ db, refresher }, scope, responses);
  if (issues.length > 0) return { outcome: 'invalid_responses', issues };
  const input = {
    orderId,
    seatId,
    person: createPerson(businessUnitId, { email, name, responses }),
  };
  const { result } = await decideWithRefresh({
    refresher,
    scope,
    ticketTypeIds: [],
    decide: () => admission.submit<'assign'>(scope, { kind: 'assign', input }),
    dependsOnProjections: ({ result: { outcome } }) =>
      outcome === 'event_archived' || outcome === 'event_ended',
  });
  if (result.outcome !== 'assigned') return result;
  const { registrationId, status, changes } = result;
  if (changes.length === 0) {
    const stored = await readRegistration(db, scope, registrationId);
    const detailsOf = (person: Pick<typeof stored, 'name' | 'responses'>) => ({
      name: person.name,
      responses: person.responses && canonicalJson(person.responses),
    });
    if (!repeats(detailsOf({ name, responses }), detailsOf(stored))) {
      return { outcome: 'not_open', seat: 'assigned' };
    }
  }
  return { outcome: 'assigned', registrationId, status };
}
