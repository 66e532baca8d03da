import type { Write } from '../../api/actions.ts';
import type { DoorRules, Event, EventLimits } from '../../api/records.ts';
import { dayOf } from '../../format/time.ts';
import { type EditedGroup, toGroups } from './capacity-groups.rules.ts';

type Start = Pick<Event, 'startsAt' | 'timezone'>;

/**
 * Whether a change of the settings moves the start to another day, or removes it: the server then
 * clears the agenda. Each day is that of its own time zone. A first start is no move.
 */
export function movesStartDay(before: Start, after: Start): boolean {
  if (before.startsAt === null) return false;
  if (after.startsAt === null) return true;
  return dayOf(before.startsAt, before.timezone) !== dayOf(after.startsAt, after.timezone);
}

type OfEvent = Pick<
  Event,
  | 'name'
  | 'timezone'
  | 'currency'
  | 'startsAt'
  | 'endsAt'
  | 'admissionOpensAt'
  | 'admissionClosesAt'
>;
type Limits = Omit<EventLimits, 'eventId'>;

/** Everything on the page. The features are lines of a text. */
export interface Settings extends OfEvent, Limits, Omit<DoorRules, 'eventId'> {
  features: string;
  capacityGroups: EditedGroup[];
}

const ofEvent = [
  'name',
  'timezone',
  'currency',
  'startsAt',
  'endsAt',
  'admissionOpensAt',
  'admissionClosesAt',
] as const;
const limits = ['maxHoldsPerEmail', 'maxSeatsPerEmail', 'waitlistOfferMinutes'] as const;

/** The settings as they are. What could not be read is empty, and its fields are not shown. */
export const settingsOf = (
  event: Event,
  read: { limits: EventLimits | undefined; doorRules: DoorRules | undefined },
): Settings => ({
  name: event.name,
  timezone: event.timezone,
  currency: event.currency,
  startsAt: event.startsAt,
  endsAt: event.endsAt,
  admissionOpensAt: event.admissionOpensAt,
  admissionClosesAt: event.admissionClosesAt,
  maxHoldsPerEmail: read.limits?.maxHoldsPerEmail ?? null,
  maxSeatsPerEmail: read.limits?.maxSeatsPerEmail ?? null,
  waitlistOfferMinutes: read.limits?.waitlistOfferMinutes ?? null,
  refuseIfFormerInside: read.doorRules?.refuseIfFormerInside ?? false,
  features: event.features.join('\n'),
  capacityGroups: event.capacityGroups,
});

const only = <Key extends keyof Settings>(changed: Partial<Settings>, keys: readonly Key[]) =>
  Object.fromEntries(keys.filter((key) => key in changed).map((key) => [key, changed[key]]));

/** The lines of a text that are not empty. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The writes that save what was changed, each to the owner of its settings. */
export function writesOf(
  changed: Partial<Settings>,
  { eventId, path, clearsAgenda }: { eventId: string; path: string; clearsAgenda: boolean },
): Write[] {
  const { capacityGroups } = changed;
  const event = {
    ...only(changed, ofEvent),
    ...(capacityGroups !== undefined && { capacityGroups: toGroups(capacityGroups) }),
  };
  const limited = only(changed, limits);
  const { features, refuseIfFormerInside } = changed;
  const body = { ...event, ...(clearsAgenda && { confirmAgendaReset: true }) };
  return [
    ...(Object.keys(event).length > 0 ? [{ method: 'PATCH' as const, path, body }] : []),
    ...(Object.keys(limited).length > 0
      ? [{ command: 'event.setLimits', input: { eventId, ...limited } }]
      : []),
    ...(features !== undefined
      ? [{ command: 'event.setFeatures', input: { eventId, features: linesOf(features) } }]
      : []),
    ...(refuseIfFormerInside !== undefined
      ? [{ command: 'event.setDoorRules', input: { eventId, refuseIfFormerInside } }]
      : []),
  ];
}
