import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Tx } from '@event-api/platform/db/database';
import { type ObjectChange, writeChanges } from '@event-api/platform/messaging/changes/write';
import type { RegistrationRow } from '../registrations/registrations.queries.ts';
import type { ReportedChange } from './decide-batch.ts';

/** Who sent a request of a batch. */
type Submitter = Required<Pick<ObjectChange, 'actor' | 'audited'>>;

/** The actor of expiries and promotions that no request of the batch has caused. */
const waitlist: Submitter = { actor: { type: 'system', id: 'waitlist' }, audited: null };

const submitterOf = (submitted?: Submitter): Submitter | undefined =>
  submitted && { actor: submitted.actor, audited: submitted.audited };

/**
 * Writes the changes of a batch for the change feed. The rows of all registrations in it must be
 * written before.
 */
export const reportChanges = (
  tx: Tx,
  scope: EventScope,
  batch: {
    reported: readonly ReportedChange[];
    rows: ReadonlyMap<string, Pick<RegistrationRow, 'version'>>;
    /** Who sent each request. */
    submitted: readonly Submitter[];
  },
): void => writeChanges(tx, objectChanges(scope, batch));

/**
 * The rows are written once per batch. Of several changes of one registration the last gets the
 * version of its row, and each earlier one a version below.
 */
function objectChanges(
  { businessUnitId, eventId }: EventScope,
  { reported, rows, submitted }: Parameters<typeof reportChanges>[2],
): ObjectChange[] {
  const later = new Map<string, number>();
  return reported
    .toReversed()
    .map(({ registrationId, request, type, previous, current }) => {
      const row = rows.get(registrationId);
      if (!row) throw new Error('a reported registration was not written');
      const number = later.get(registrationId) ?? 0;
      later.set(registrationId, number + 1);
      return {
        type,
        businessUnitId,
        eventId,
        objectId: registrationId,
        version: row.version - number,
        previous: previous && { status: previous },
        current: { status: current },
        ...((request !== null && submitterOf(submitted[request])) || waitlist),
      };
    })
    .toReversed();
}
