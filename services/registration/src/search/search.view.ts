import type { MatchedRegistration } from '@event-api/contracts/operator/search';
import type { Caller } from '@event-api/platform/http/caller-tokens';
import type { z } from 'zod';
import type { RegistrationRow } from '../registrations/registrations.queries.ts';
import { registrationView } from '../registrations/registrations.view.ts';

/**
 * A registration that a search has found. Without emails, its answers to the form are left out,
 * too.
 */
export function matchView(
  row: RegistrationRow,
  { showsEmail }: { showsEmail: boolean },
): z.input<typeof MatchedRegistration> {
  const view = registrationView(row);
  return showsEmail ? view : { ...view, email: null, responses: null };
}

/**
 * Whether a caller may see emails in results. An operator of doors finds people without them; every
 * other role with `people.read` also reads orders. Null are the permissions of the platform itself.
 */
export const mayReadEmails = ({ permissions }: Pick<Caller, 'permissions'>): boolean =>
  permissions === null || permissions.includes('orders.list');
