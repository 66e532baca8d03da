import type { ExhibitorStatus } from '@event-api/contracts/http/exhibitors';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { ObjectChange } from '@event-api/platform/messaging/changes/write';

/** The kinds of records of the program. They have no status. */
type ProgramRecord = 'session' | 'speaker' | 'venue';

interface Versioned extends EventScope {
  id: string;
  version: number;
}

const of = ({ businessUnitId, eventId, id, version }: Versioned) => ({
  businessUnitId,
  eventId,
  objectId: id,
  version,
});

const noStatus = { status: null };

export const recordCreated = (kind: ProgramRecord, record: Versioned): ObjectChange => ({
  ...of(record),
  type: `${kind}.created`,
  previous: null,
  current: noStatus,
});

export const recordUpdated = (kind: ProgramRecord, record: Versioned): ObjectChange => ({
  ...of(record),
  type: `${kind}.updated`,
  previous: noStatus,
  current: noStatus,
});

/** The change of a deleted record. Its version is above that of the deleted row. */
export const recordDeleted = (kind: ProgramRecord, record: Versioned): ObjectChange => ({
  ...of({ ...record, version: record.version + 1 }),
  type: `${kind}.deleted`,
  previous: noStatus,
  current: null,
});

export const exhibitorCreated = (exhibitor: Versioned): ObjectChange => ({
  ...of(exhibitor),
  type: 'exhibitor.created',
  previous: null,
  current: { status: 'pending' satisfies ExhibitorStatus },
});

// No operation leads back to `pending`.
const exhibitorMoves = {
  pending: 'exhibitor.updated',
  confirmed: 'exhibitor.confirmed',
  declined: 'exhibitor.declined',
} as const satisfies Record<ExhibitorStatus, ObjectChange['type']>;

/** The change of an exhibitor, or of its roster or booths. */
export const exhibitorChanged = (
  exhibitor: Versioned & { status: ExhibitorStatus },
  previous: ExhibitorStatus,
): ObjectChange => ({
  ...of(exhibitor),
  type: exhibitor.status === previous ? 'exhibitor.updated' : exhibitorMoves[exhibitor.status],
  previous: { status: previous },
  current: { status: exhibitor.status },
});

/**
 * The change of a new check-in that a device has reported. Others are written by the statement that
 * inserts them.
 */
export const checkinCreated = (checkin: Versioned): ObjectChange => ({
  ...of(checkin),
  type: 'checkin.created',
  previous: null,
  current: noStatus,
});

/** The same for a check-in that the server would have rejected. */
export const checkinOverruled = (checkin: Versioned): ObjectChange => ({
  ...checkinCreated(checkin),
  type: 'checkin.overruled',
});

/** The change of a check-in whose badge another device has let in, too. */
export const checkinContested = (checkin: Versioned): ObjectChange => ({
  ...of(checkin),
  type: 'checkin.contested',
  previous: noStatus,
  current: noStatus,
});

/** The change of a check-in that is undone. */
export const checkinUndone = (checkin: Versioned): ObjectChange => ({
  ...of(checkin),
  type: 'checkin.undone',
  previous: noStatus,
  current: noStatus,
});
