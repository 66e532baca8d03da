import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type { FormResponses } from '@event-api/contracts/http/form-responses';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { validateResponses } from '@event-api/rules/form-responses';
import { invalidResponses } from '../errors.ts';
import { decideWithRefresh } from '../projections/decide-with-refresh.ts';
import { readForm } from '../projections/projections.queries.ts';
import type { AdmissionDeps } from './deps.ts';

/** Errors: 400 with each response that the form of the event rejects; 503. */
export async function requireValidResponses(
  deps: Pick<AdmissionDeps, 'db' | 'refresher'>,
  scope: EventScope,
  responses: FormResponses,
): Promise<void> {
  const issues = await findResponseIssues(deps, scope, responses);
  if (issues.length > 0) throw invalidResponses(issues);
}

/** What the form of the event rejects. Errors: 503. */
export const findResponseIssues = (
  { db, refresher }: Pick<AdmissionDeps, 'db' | 'refresher'>,
  scope: EventScope,
  responses: FormResponses | null,
): Promise<FieldIssue[]> =>
  decideWithRefresh({
    refresher,
    scope,
    ticketTypeIds: [],
    decide: async () => validateResponses(await readForm(db, scope), responses),
    dependsOnProjections: ({ length }) => length > 0,
  });
