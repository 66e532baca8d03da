import { normalEmail } from '@event-api/contracts/http/fields';
import { derivedId, newId, randomBase32 } from '@event-api/platform/core/ids';
import type { Person } from '../seats/rules.ts';

/** Somebody who is about to be registered, with the ids that this takes. */
export function createPerson(
  businessUnitId: string,
  { email, name }: { email: string; name: string | null },
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
  };
}
