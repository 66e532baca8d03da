import type { countRegistrations } from '@event-api/contracts/operator/registration-list';
import { permissionDenied } from '@event-api/platform/core/errors';
import type { Caller } from '@event-api/platform/http/caller-tokens';
import type { z } from 'zod';
import { mayReadEmails } from './search.view.ts';

type Filters = Pick<
  z.output<(typeof countRegistrations)['schema']['body']>,
  'registrationTypeId' | 'registeredFrom' | 'registeredBefore' | 'answer'
>;

/**
 * The filters of a list or a search. Errors: 403 for a filter by answers from a caller who may not
 * read them.
 */
export function filtersOf(body: Filters, caller: Caller) {
  if (body.answer && !mayReadEmails(caller)) throw permissionDenied();
  const { registrationTypeId: type, registeredFrom: from, registeredBefore: before, answer } = body;
  return { type, from, before, answer };
}
