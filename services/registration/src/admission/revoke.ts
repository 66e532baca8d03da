import type { EventScope } from '@event-api/contracts/internal/scope';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { RegistrationDeps } from './register.ts';

/**
 * Cancels the registrations that an order has made, takes back the add-ons that it gave, and answers
 * whom that has cancelled. Errors: 404 for an unknown event; 503. Emits: the seats.
 */
export async function revokeOrder(
  { admission, refresher }: RegistrationDeps,
  scope: EventScope,
  orderId: string,
): Promise<string[]> {
  await refresher.require(eventRef(scope));
  const { result } = await admission.submit<'revoke'>(scope, { kind: 'revoke', orderId });
  return result.changes.flatMap((change) => (change.kind === 'move' ? change.id : []));
}
