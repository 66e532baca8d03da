import type { UpdateRegistration } from '@event-api/contracts/http/registrations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound, referenceNotFound } from '@event-api/platform/core/errors';
import { canonicalJson } from '@event-api/platform/http/canonical-json';
import type { z } from 'zod';
import {
  attendeeRegistered,
  eventArchived,
  notOnSale,
  offerTaken,
  priceHigher,
  registrationChanged,
  registrationClosed,
  typeFull,
} from '../errors.ts';
import { decideWithRefresh } from '../projections/decide-with-refresh.ts';
import type { ChangeDecision, ChangeRequest } from '../registrations/changes.rules.ts';
import { createHolder } from '../registrations/person.ts';
import { type RegistrationRow, readRegistration } from '../registrations/registrations.queries.ts';
import type { AdmissionDeps } from './deps.ts';
import { expectedOf } from './expected-of.ts';
import { requireValidResponses } from './validate-responses.ts';

/**
 * Changes the name, the email, the ticket type or the responses of an active registration. Another
 * email transfers it to another person, with a new badge. The same batch gives a released seat to
 * the waitlist. A request without a difference changes nothing.
 *
 * Errors: 400 for responses that do not fit the form; 404; 412 `EVENT_ARCHIVED`,
 * `REGISTRATION_CLOSED`, `REGISTRATION_CHANGED`, `OFFER_TAKEN`, `ATTENDEE_REGISTERED`,
 * `NOT_ON_SALE`, `PRICE_HIGHER`, `SOLD_OUT`; 503. Emits: the registration, the seats.
 */
export async function changeRegistration(
  { db, admission, refresher }: AdmissionDeps,
  scope: EventScope,
  registrationId: string,
  body: z.output<typeof UpdateRegistration>,
): Promise<RegistrationRow> {
  const row = await readRegistration(db, scope, registrationId);
  const input = changeRequest(scope, row, body);
  if (!input) return row;
  if (input.responses) await requireValidResponses({ db, refresher }, scope, input.responses);
  const { result, rows } = await decideWithRefresh({
    refresher,
    scope,
    ticketTypeIds: [row.ticketTypeId, input.ticketTypeId].flatMap((id) => id ?? []),
    decide: () => admission.submit<'change'>(scope, { kind: 'change', input }),
    dependsOnProjections: ({ result: { outcome } }) =>
      projectionDependentOutcomes.includes(outcome),
  });
  if (result.outcome !== 'changed') throw changeError(result);
  return rows.get(registrationId) ?? readRegistration(db, scope, registrationId);
}

/** The fields that differ from the registration, or null if none does. */
function changeRequest(
  { businessUnitId }: EventScope,
  row: RegistrationRow,
  { name, email, registrationTypeId, responses, expected }: z.output<typeof UpdateRegistration>,
): ChangeRequest | null {
  const input: ChangeRequest = {
    registrationId: row.id,
    name: name === row.name ? undefined : name,
    holder: email === undefined || email === row.email ? null : createHolder(businessUnitId, email),
    ticketTypeId:
      registrationTypeId === undefined || registrationTypeId === row.ticketTypeId
        ? null
        : registrationTypeId,
    responses:
      responses === undefined || canonicalJson(responses) === canonicalJson(row.responses)
        ? null
        : responses,
    expected: expectedOf(expected),
  };
  const { holder, ticketTypeId } = input;
  const isSame = input.name === undefined && !holder && ticketTypeId === null && !input.responses;
  return isSame ? null : input;
}

const projectionDependentOutcomes: readonly ChangeDecision['outcome'][] = [
  'type_unknown',
  'event_archived',
  'type_archived',
  'price_higher',
  'sold_out',
];

function changeError(decision: Exclude<ChangeDecision, { outcome: 'changed' }>): Error {
  switch (decision.outcome) {
    case 'unknown':
      return notFound('registration');
    case 'type_unknown':
      return referenceNotFound('registrationTypeId');
    case 'event_archived':
      return eventArchived();
    case 'closed':
      return registrationClosed();
    case 'changed_meanwhile':
      return registrationChanged(decision.field);
    case 'offer_taken':
      return offerTaken();
    case 'attendee_registered':
      return attendeeRegistered();
    case 'type_archived':
      return notOnSale('archived');
    case 'price_higher':
      return priceHigher();
    case 'sold_out':
      return typeFull();
  }
}
