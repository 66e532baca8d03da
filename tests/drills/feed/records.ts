import type { Change } from '@event-api/contracts/http/changes';

type Kind = Change['object']['type'];

/** A record as the API returns it. */
export type FeedRecord = { id: string } & Record<string, unknown>;

/** The segment of the path of each kind of record below its event. */
const segments: Record<Exclude<Kind, 'event' | 'webhook_endpoint'>, string> = {
  ticket_type: 'ticket-types',
  addon: 'addons',
  bundle: 'bundles',
  redemption_code: 'redemption-codes',
  registration: 'registrations',
  order: 'orders',
  checkin: 'checkins',
  session: 'sessions',
  speaker: 'speakers',
  venue: 'venues',
  exhibitor: 'exhibitors',
};

export const kindsOfEvents = Object.keys(segments) as (keyof typeof segments)[];

/** The path of the list of one kind of record. */
export const listPath = (kind: keyof typeof segments, eventId: string): string =>
  `/v1/events/${eventId}/${segments[kind]}`;

/** The path of the record that a change names. */
export function recordPath({ object, eventId }: Pick<Change, 'object' | 'eventId'>): string {
  if (object.type === 'event') return `/v1/events/${object.id}`;
  if (object.type === 'webhook_endpoint') return `/v1/webhook-endpoints/${object.id}`;
  return `/v1/events/${eventId}/${segments[object.type]}/${object.id}`;
}

/**
 * Fields that change without a change of their record: counts, what is left, prices that follow
 * others, the statuses of the registrations of an order, uses, and deleted sessions of a speaker.
 * Source: docs/consistency.md.
 */
const derivedFields: Partial<Record<Kind, readonly string[]>> = {
  ticket_type: ['counts', 'availability'],
  addon: ['availability'],
  bundle: ['remaining', 'effectivePriceAmount'],
  order: ['registrations', 'seats'],
  redemption_code: ['uses'],
  speaker: ['sessionIds'],
};

/** The record without the fields that the feed does not cover, as JSON. */
export function comparable(kind: Kind, record: FeedRecord): string {
  const left = derivedFields[kind] ?? [];
  return JSON.stringify(record, (key, value) => (left.includes(key) ? undefined : value));
}
