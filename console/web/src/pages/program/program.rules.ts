import type { Event, Session, Speaker } from '../../api/records.ts';
import {
  addDays,
  dayOf,
  formatTime,
  formatWeekday,
  fromWallClock,
  minuteOfDay,
} from '../../format/time.ts';

/** The grid has a line for each quarter of an hour. */
export const stepMinutes = 15;
const dayMinutes = 24 * 60;
const maxDays = 31;

/** The days of the event in its zone, and those of sessions outside of it, in order. */
export function daysOf(
  { startsAt, endsAt, timezone }: Pick<Event, 'startsAt' | 'endsAt' | 'timezone'>,
  sessions: readonly Session[],
): string[] {
  const days = new Set(sessions.map((session) => dayOf(session.startsAt, timezone)));
  if (startsAt !== null) {
    const last = dayOf(endsAt ?? startsAt, timezone);
    let day = dayOf(startsAt, timezone);
    for (let count = 0; day <= last && count < maxDays; count++) {
      days.add(day);
      day = addDays(day, 1);
    }
  }
  return [...days].toSorted();
}

/**
 * A session on the grid of a day: minutes since midnight, and its place beside others of the same
 * time and room.
 */
export interface Place {
  from: number;
  to: number;
  lane: number;
  lanes: number;
}

/** Where the sessions of one day are. A session that ends on a later day ends at midnight. */
export function placeSessions(
  sessions: readonly Session[],
  zone: string,
): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const rooms = Map.groupBy(sessions, ({ venueId }) => venueId);
  for (const inRoom of rooms.values()) {
    let group: Place[] = [];
    let groupEnd = 0;
    const close = () => {
      const lanes = Math.max(0, ...group.map(({ lane }) => lane + 1));
      for (const place of group) place.lanes = lanes;
      group = [];
    };
    for (const session of inRoom.toSorted(byTime)) {
      const from = minuteOfDay(session.startsAt, zone);
      const isSameDay = dayOf(session.startsAt, zone) === dayOf(session.endsAt, zone);
      const to = isSameDay ? minuteOfDay(session.endsAt, zone) : dayMinutes;
      if (from >= groupEnd) close();
      const busy = new Set(group.filter((other) => other.to > from).map(({ lane }) => lane));
      let lane = 0;
      while (busy.has(lane)) lane++;
      const place = { from, to, lane, lanes: 1 };
      group.push(place);
      groupEnd = Math.max(groupEnd, to);
      places.set(session.id, place);
    }
    close();
  }
  return places;
}

const byTime = (one: Session, other: Session): number =>
  Date.parse(one.startsAt) - Date.parse(other.startsAt) || one.id.localeCompare(other.id);

export const inOrderOfTime = (sessions: readonly Session[]): Session[] => sessions.toSorted(byTime);

const defaultHours = { from: 9 * 60, to: 18 * 60 };

/** The hours that the grid shows: the usual ones, and those of the sessions. */
export function hoursOf(places: Iterable<Place>): { from: number; to: number } {
  let { from, to } = defaultHours;
  for (const place of places) {
    from = Math.min(from, Math.floor(place.from / 60) * 60);
    to = Math.max(to, Math.ceil(place.to / 60) * 60);
  }
  return { from, to };
}

export type Conflict = 'room' | 'speaker';

/** Sessions that overlap in a room, or that have a speaker at the same time. */
export function conflictsOf(
  sessions: readonly Session[],
  speakers: readonly Speaker[],
): ReadonlyMap<string, ReadonlySet<Conflict>> {
  const conflicts = new Map<string, Set<Conflict>>();
  const report = (group: readonly Session[], conflict: Conflict) => {
    const sorted = group.toSorted(byTime);
    sorted.forEach((one, index) => {
      for (const other of sorted.slice(index + 1)) {
        if (Date.parse(other.startsAt) >= Date.parse(one.endsAt)) break;
        for (const { id } of [one, other]) {
          conflicts.set(id, (conflicts.get(id) ?? new Set()).add(conflict));
        }
      }
    });
  };
  const withRoom = sessions.filter(({ venueId }) => venueId !== null);
  for (const group of Map.groupBy(withRoom, ({ venueId }) => venueId).values()) {
    report(group, 'room');
  }
  for (const { sessionIds } of speakers) {
    report(
      sessions.filter(({ id }) => sessionIds.includes(id)),
      'speaker',
    );
  }
  return conflicts;
}

/** What a move or a new length changes of a session. */
export interface Change {
  startsAt?: string;
  endsAt?: string;
  venueId?: string | null;
}

const minuteMs = 60_000;
const shift = (instant: string, minutes: number): string =>
  new Date(Date.parse(instant) + minutes * minuteMs).toISOString();

/** Moves a session by whole steps, and into a room. Null if nothing changes. */
export function moveSession(
  session: Session,
  { byMinutes, venueId }: { byMinutes: number; venueId: string | null },
): Change | null {
  const by = Math.round(byMinutes / stepMinutes) * stepMinutes;
  if (by === 0 && venueId === session.venueId) return null;
  return {
    ...(by !== 0 && { startsAt: shift(session.startsAt, by), endsAt: shift(session.endsAt, by) }),
    ...(venueId !== session.venueId && { venueId }),
  };
}

/** Makes a session longer or shorter by whole steps, at least one long. Null if nothing changes. */
export function resizeSession(session: Session, byMinutes: number): Change | null {
  const length = (Date.parse(session.endsAt) - Date.parse(session.startsAt)) / minuteMs;
  const wanted = length + Math.round(byMinutes / stepMinutes) * stepMinutes;
  const next = Math.max(Math.min(stepMinutes, length), wanted);
  return next === length ? null : { endsAt: shift(session.startsAt, next) };
}

/** The change that undoes another one. */
export const undoOf = (session: Session, change: Change): Change => ({
  ...(change.startsAt !== undefined && { startsAt: session.startsAt }),
  ...(change.endsAt !== undefined && { endsAt: session.endsAt }),
  ...(change.venueId !== undefined && { venueId: session.venueId }),
});

/**
 * The times of a new session on a day: an hour after the last one of the day, otherwise when the
 * event starts.
 */
export function timesOfNew(
  day: string | undefined,
  sessionsOfDay: readonly Session[],
  { startsAt, timezone }: Pick<Event, 'startsAt' | 'timezone'>,
): { startsAt: string | null; endsAt: string | null } {
  const last = sessionsOfDay.toSorted((one, other) => (one.endsAt < other.endsAt ? -1 : 1)).at(-1);
  const ofDay = day === undefined ? null : fromWallClock(`${day}T09:00`, timezone);
  const isFirstDay = startsAt !== null && day === dayOf(startsAt, timezone);
  const start = last?.endsAt ?? (isFirstDay ? startsAt : ofDay);
  return { startsAt: start, endsAt: start === null ? null : shift(start, 60) };
}

/** The abbreviation of a zone at an instant, such as CEST. */
export const zoneNameOf = (instant: string, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'short' })
    .formatToParts(new Date(instant))
    .find(({ type }) => type === 'timeZoneName')?.value ?? zone;

/**
 * The times of a session as the clock of another zone shows them, with the day, which may be
 * another one there.
 */
export const timesIn = (
  zone: string,
  { startsAt, endsAt }: Pick<Session, 'startsAt' | 'endsAt'>,
): { day: string; from: string; to: string; zone: string } => ({
  day: formatWeekday(startsAt, zone),
  from: formatTime(startsAt, zone),
  to: formatTime(endsAt, zone),
  zone: zoneNameOf(startsAt, zone),
});
