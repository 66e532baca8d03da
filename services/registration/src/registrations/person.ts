import { normalEmail } from '@event-api/contracts/http/fields';
import type { FormResponses } from '@event-api/contracts/http/form-responses';
import { derivedId, newId, randomBase32 } from '@event-api/platform/core/ids';
import type { Person } from '../seats/rules.ts';

/** Creates a person to register, with new ids. */
export function createPerson(
  businessUnitId: string,
  {
    email,
    name,
    responses = null,
  }: { email: string; name: string | null; responses?: FormResponses | null },
): Person {
  const normal = normalEmail(email);
  return {
    registrationId: newId('reg'),
    attendeeId: newId('att'),
    contactId: derivedId('con', `${businessUnitId} ${normal}`),
    checkinCode: `CHK-${randomBase32(16)}`,
    email,
    normalEmail: normal,
    name,
    responses,
  };
}
