import type { ChangeType } from '@event-api/contracts/changes';
import type { EventStatus } from '@event-api/contracts/http/events';
import type { SaleStatus } from '@event-api/contracts/http/ticket-types';
import type { ObjectChange } from '@event-api/platform/messaging/changes/write';

// No status leads back to a draft: the transitions of events and of what they sell exclude it.
const eventMoves: Record<EventStatus, ChangeType> = {
  draft: 'event.updated',
  published: 'event.published',
  archived: 'event.archived',
};

type SaleKind = 'ticket_type' | 'addon' | 'bundle';

const saleMoves: Record<SaleKind, Record<SaleStatus, ChangeType>> = {
  ticket_type: {
    draft: 'ticket_type.updated',
    open: 'ticket_type.opened',
    closed: 'ticket_type.closed',
    archived: 'ticket_type.archived',
  },
  addon: {
    draft: 'addon.updated',
    open: 'addon.opened',
    closed: 'addon.closed',
    archived: 'addon.archived',
  },
  bundle: {
    draft: 'bundle.updated',
    open: 'bundle.opened',
    closed: 'bundle.closed',
    archived: 'bundle.archived',
  },
};

interface EventRecord {
  id: string;
  businessUnitId: string;
  status: EventStatus;
  version: number;
}

const ofEvent = ({ id, businessUnitId, version }: EventRecord) => ({
  businessUnitId,
  eventId: id,
  objectId: id,
  version,
});

export const eventCreated = (event: EventRecord): ObjectChange => ({
  ...ofEvent(event),
  type: 'event.created',
  previous: null,
  current: { status: event.status },
});

/**
 * The changes of an updated event. `resetsAgenda`: its sessions are gone, which one change of the
 * event reports for all of them.
 */
export function eventChanged(
  event: EventRecord,
  previous: EventStatus,
  { resetsAgenda = false }: { resetsAgenda?: boolean } = {},
): ObjectChange[] {
  const current = { status: event.status };
  const change: ObjectChange = {
    ...ofEvent(event),
    type: event.status === previous ? 'event.updated' : eventMoves[event.status],
    previous: { status: previous },
    current,
  };
  if (!resetsAgenda) return [change];
  return [change, { ...change, type: 'event.agenda_reset', previous: current }];
}

interface SaleRecord {
  id: string;
  businessUnitId: string;
  eventId: string;
  status: SaleStatus;
  version: number;
}

const ofRecord = ({ id, businessUnitId, eventId, version }: SaleRecord) => ({
  businessUnitId,
  eventId,
  objectId: id,
  version,
});

export const saleCreated = (kind: SaleKind, record: SaleRecord): ObjectChange => ({
  ...ofRecord(record),
  type: `${kind}.created`,
  previous: null,
  current: { status: record.status },
});

/** The change of an updated ticket type, add-on or bundle. */
export const saleChanged = (
  kind: SaleKind,
  record: SaleRecord,
  previous: SaleStatus,
): ObjectChange => ({
  ...ofRecord(record),
  type: record.status === previous ? `${kind}.updated` : saleMoves[kind][record.status],
  previous: { status: previous },
  current: { status: record.status },
});
