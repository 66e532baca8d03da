import type { EventScope } from '@event-api/contracts/internal/scope';
import { eventRecord } from '@event-api/platform/projections/require-event';
import type { RegistrationDeps } from '../registrations/create.ts';
import type { ReleaseDecision } from './closing/rules.ts';

/**
 * Gives back what a claim holds, once; with `onlyIfOver`, only if it has run out. A claim that has not
 * arrived is closed before it does.
 * Errors: 404 for an unknown event; 503. Emits: the seats.
 */
export async function releaseClaim(
  { admission, askOwner }: RegistrationDeps,
  scope: EventScope,
  claimId: string,
  onlyIfOver: boolean,
): Promise<ReleaseDecision['outcome']> {
  await askOwner.require(eventRecord(scope));
  const { answer } = await admission.submit<'release'>(scope, {
    kind: 'release',
    claimId,
    onlyIfOver,
  });
  return answer.outcome;
}
