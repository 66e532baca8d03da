import { normalEmail } from '@event-api/contracts/email';
import type { FormResponses } from '@event-api/contracts/http/form-responses';
import { derivedId, newId, randomBase32 } from '@event-api/platform/core/ids';
import type { Person } from '../seats/seats.rules.ts';

const newCheckinCode = (): string => `CHK-${randomBase32(16)}`;

/** Creates the person of another email for an existing registration, with a new badge code. */
export function createHolder(businessUnitId: string, email: string) {
  const normal = normalEmail(email);
  return {
    attendeeId: newId('att'),
    contactId: derivedId('con', `${businessUnitId} ${normal}`),
    checkinCode: newCheckinCode(),
    email,
    normalEmail: normal,
  };
}

/** Creates a person to register, with new ids. */
export function createPerson(
  businessUnitId: string,
  {
    email,
    name,
    responses = null,
  }: { email: string; name: string | null; responses?: FormResponses | null },
): Person {
  const registrationId = newId('reg');
  return { registrationId, name, responses, ...createHolder(businessUnitId, email) };
}
