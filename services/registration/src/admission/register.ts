import type { CreateRegistration } from '@event-api/contracts/http/registrations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { referenceNotFound } from '@event-api/platform/core/errors';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import type { z } from 'zod';
import {
  codeInvalid,
  codeNotApplicable,
  eventArchived,
  notOnSale,
  soldOut,
  ticketTypeRequired,
} from '../errors.ts';
import { decideWithRefresh } from '../projections/decide-with-refresh.ts';
import { typesOfEvent } from '../projections/projections.queries.ts';
import { codeKey } from '../redemption-codes/redemption-codes.rules.ts';
import { createPerson } from '../registrations/person.ts';
import {
  findRegistration,
  type RegistrationRow,
  readRegistration,
} from '../registrations/registrations.queries.ts';
import type { RegisterDecision } from '../registrations/registrations.rules.ts';
import type { AdmissionDeps } from './deps.ts';
import { requireValidResponses } from './validate-responses.ts';

/**
 * Registers a person once per event, or returns the active registration of that email.
 *
 * Errors: 400 for responses that do not fit the form, or without a ticket type where the event has
 * some; 404; 412 `EVENT_ARCHIVED`, `NOT_ON_SALE`, `CODE_INVALID`,
 * `SOLD_OUT`; 503. Emits: the seats.
 */
export async function createRegistration(
  { db, admission, refresher }: AdmissionDeps,
  scope: EventScope,
  input: z.output<typeof CreateRegistration>,
): Promise<{ registration: RegistrationRow; created: boolean }> {
  const { registrationTypeId: ticketTypeId = null, redemptionCode, responses = null } = input;
  const person = createPerson(scope.businessUnitId, {
    email: input.email,
    name: input.name ?? null,
    responses,
  });
  const registerInput = {
    person,
    ticketTypeId,
    codeKey: redemptionCode === undefined ? null : codeKey(redemptionCode),
  };
  const existing = isRetry() && (await findRegistration(db, scope, person.registrationId));
  if (existing) return { registration: existing, created: true };
  if (responses) await requireValidResponses({ db, refresher }, scope, responses);
  const { result, rows } = await decideWithRefresh({
    refresher,
    scope,
    ticketTypeIds: ticketTypeId ? [ticketTypeId] : await typesOfEvent(db, scope),
    decide: () => admission.submit<'register'>(scope, { kind: 'register', input: registerInput }),
    dependsOnProjections: ({ result }) => dependsOnProjections(result),
  });
  if (result.outcome !== 'registered' && result.outcome !== 'already_registered') {
    throw registrationError(result);
  }
  const { registrationId } = result;
  const registration =
    rows.get(registrationId) ?? (await readRegistration(db, scope, registrationId));
  return { registration, created: result.outcome === 'registered' };
}

const projectionDependentOutcomes: readonly RegisterDecision['outcome'][] = [
  'type_required',
  'type_unknown',
  'event_archived',
  'not_on_sale',
  'sold_out',
];

const dependsOnProjections = ({ outcome }: RegisterDecision): boolean =>
  projectionDependentOutcomes.includes(outcome);

type FailedDecision = Exclude<RegisterDecision, { outcome: 'registered' | 'already_registered' }>;

function registrationError(decision: FailedDecision): Error {
  switch (decision.outcome) {
    case 'type_required':
      return ticketTypeRequired();
    case 'type_unknown':
      return referenceNotFound('registrationTypeId');
    case 'event_archived':
      return eventArchived();
    case 'not_on_sale':
      return notOnSale(decision.block);
    case 'code_invalid':
      return codeInvalid();
    case 'code_not_applicable':
      return codeNotApplicable();
    case 'sold_out':
      return soldOut();
  }
}
