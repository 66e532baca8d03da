import { randomBytes } from 'node:crypto';
import { normalEmail } from '@event-api/contracts/http/fields';
import { derivedId, newId } from '@event-api/platform/ids';
import type { Person } from '../admission/rules.ts';

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Somebody who is about to be registered, with the ids that this takes. */
export function makePerson(
  businessUnitId: string,
  { email, name }: { email: string; name: string | null },
): Person {
  const normal = normalEmail(email);
  return {
    registrationId: newId('reg'),
    attendeeId: newId('att'),
    contactId: derivedId('con', `${businessUnitId} ${normal}`),
    checkinCode: `CHK-${randomLetters(16)}`,
    email,
    normalEmail: normal,
    name,
  };
}

/** Crockford's base32, five random bits each. */
export const randomLetters = (length: number): string =>
  Array.from(randomBytes(length), (byte) => crockford[byte % crockford.length]).join('');
