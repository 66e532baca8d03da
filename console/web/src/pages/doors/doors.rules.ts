import type {
  CheckinRates,
  CheckinSummary,
  Conflict,
  DeviceActivity,
  DoorCount,
  Event,
  PairedDevice,
  TicketType,
} from '../../api/records.ts';
import { doorsText as text } from '../../text/doors.ts';

/** What the dialog contains. */
export interface PairValues {
  name: string;
  /** The ids of the doors. */
  doors: string[];
  showNames: boolean;
  untilEventEnds: boolean;
}

/** A device with the address of its QR. */
export type NewDevice = PairedDevice & { url: string | null; shortCode: string | null };

type NamedDoor = Pick<DoorCount, 'subjectType' | 'subjectId' | 'name'>;

/** The name of a door. The door of the event has none of its own. */
export function doorName({ subjectType, name }: NamedDoor): string {
  if (subjectType === 'event') return text.eventDoor;
  return name ?? text.formerDoor;
}

const minutes = 30;

/**
 * The check-ins of a door in each of the last 30 minutes, the oldest first. The rates contain the
 * doors that had any.
 */
export const rateOf = (rates: CheckinRates, subjectId: string): number[] =>
  rates.doors.find((door) => door.subjectId === subjectId)?.perMinute ?? Array(minutes).fill(0);

/** When each of the last 30 minutes has ended, the last one first. */
export const minuteEnds = (until: string): string[] =>
  Array.from({ length: minutes }, (_, ago) =>
    new Date(Date.parse(until) - ago * 60_000).toISOString(),
  );

/** The doors that a device can get: those that exist. */
export const openDoors = <Door extends NamedDoor>(doors: readonly Door[]): Door[] =>
  doors.filter(({ subjectType, name }) => subjectType === 'event' || name !== null);

/** The input of `device.pair`. */
export const inputOf = (
  { name, doors, showNames, untilEventEnds }: PairValues,
  eventId: string,
  ofEvent: readonly NamedDoor[],
) => ({
  eventId,
  name: name.trim(),
  doors: ofEvent
    .filter(({ subjectId }) => doors.includes(subjectId))
    .map(({ subjectType, subjectId }) => ({ subjectType, subjectId })),
  showNames,
  untilEventEnds,
});

/** Whether a device can stay paired until the event is over: it has an end, which is to come. */
export const canStayPaired = ({ endsAt }: Pick<Event, 'endsAt'>, now: Date): boolean =>
  endsAt !== null && Date.parse(endsAt) > now.getTime();

/** The names of the doors of a device, in the order of the page. */
export const doorNamesOf = (device: PairedDevice, ofEvent: readonly NamedDoor[]): string[] =>
  device.doors.map(({ subjectType, subjectId }) =>
    doorName({
      subjectType,
      subjectId,
      name: ofEvent.find((door) => door.subjectId === subjectId)?.name ?? null,
    }),
  );

/**
 * A device with what is known about its activity; null if it was not seen, or if that is unknown.
 */
export interface ListedDevice extends PairedDevice {
  activity: DeviceActivity | null;
}

export const withActivity = (
  devices: readonly PairedDevice[],
  activity: readonly DeviceActivity[],
): ListedDevice[] =>
  devices.map((device) => ({
    ...device,
    activity: activity.find(({ id }) => id === device.id) ?? null,
  }));

/** A device reads the roster every 30 seconds. */
const oldRosterMs = 2 * 60_000;

/** Whether a device would have decided with an old roster, or with none, when it reported last. */
export const isRosterOld = ({ report }: Pick<DeviceActivity, 'report'>): boolean =>
  report !== null &&
  (report.rosterReadAt === null ||
    Date.parse(report.reportedAt) - Date.parse(report.rosterReadAt) > oldRosterMs);

/** A device that works reports every 30 seconds. */
const silentMs = 2 * 60_000;

/**
 * Whether a device that should scan does not report any more: its page is closed, or it has no
 * power or no network.
 */
export const isSilent = (
  { state, activity }: Pick<ListedDevice, 'state' | 'activity'>,
  now: Date,
): boolean =>
  state === 'paired' &&
  activity !== null &&
  now.getTime() - Date.parse(activity.lastSeenAt) > silentMs;

/**
 * Whether a scanner has used the code of a device, by two reads of the list. A scanner that was
 * paired before stays its former device, so the waiting one disappears. `wasWaiting` says that an
 * earlier read has shown it.
 */
export function isUsed(id: string, devices: readonly PairedDevice[], wasWaiting: boolean): boolean {
  const device = devices.find((each) => each.id === id);
  return device ? device.state === 'paired' : wasWaiting;
}

/**
 * Whether there may be new conflicts: scans that devices have reported, or check-ins that were
 * undone.
 */
export const mayHaveConflicts = (before: CheckinSummary, after: CheckinSummary): boolean =>
  before.contested !== after.contested ||
  before.overruled !== after.overruled ||
  after.checkedIn < before.checkedIn;

/** The name of what has reported a scan: that of a device, otherwise what kind of source it is. */
export function sourceName(source: string | null, devices: ReadonlyMap<string, string>): string {
  if (source === null) return text.sources.unknown;
  if (source.startsWith('dev_')) return devices.get(source) ?? text.sources.device;
  return source.startsWith('opr_') ? text.sources.operator : text.sources.key;
}

/** Which scan was first, which rule was not kept, or why a check-in was undone. */
export function conflictReason(conflict: Conflict): string {
  if (conflict.kind === 'contested') return text.first[conflict.first];
  return conflict.kind === 'overruled' ? text.reasons[conflict.reason] : conflict.reason;
}

/** Whether nothing has happened at a door yet. */
const isQuiet = ({ checkedIn, contested, overruled, refused }: DoorCount): boolean =>
  checkedIn + contested + overruled + refused === 0;

/**
 * The doors with numbers, and those at which nothing has happened yet. Before the first check-in,
 * the entrance of the event stands for all.
 */
export function splitDoors<Door extends DoorCount>(
  doors: readonly Door[],
): { busy: Door[]; quiet: Door[] } {
  const isAllQuiet = doors.every(isQuiet);
  const isShown = (door: Door) => !isQuiet(door) || (isAllQuiet && door.subjectType === 'event');
  return { busy: doors.filter(isShown), quiet: doors.filter((door) => !isShown(door)) };
}

const separator = ',';

/** The doors of the wall: those that were chosen in the address, otherwise those with numbers. */
export function wallDoors<Door extends DoorCount>(
  doors: readonly Door[],
  chosen: string | undefined,
): Door[] {
  const ids = chosen?.split(separator) ?? [];
  const found = doors.filter(({ subjectId }) => ids.includes(subjectId));
  return found.length > 0 ? found : splitDoors(doors).busy;
}

/** The choice after a door of the wall was added or taken away. The last one stays. */
export function toggleDoor(shown: readonly DoorCount[], subjectId: string): string {
  const ids = shown.map((door) => door.subjectId);
  const rest = ids.filter((id) => id !== subjectId);
  if (rest.length < ids.length) return (rest.length > 0 ? rest : ids).join(separator);
  return [...ids, subjectId].join(separator);
}

/** How many tiles are in a row of the wall, so that they are about as high as wide. */
export function wallColumns(tiles: number): { wide: number; narrow: number } {
  const wide = tiles === 4 ? 2 : Math.min(5, Math.ceil(Math.sqrt(tiles * 1.4)));
  return { wide: Math.min(wide, tiles), narrow: tiles > 3 ? 2 : 1 };
}

/**
 * The width of the widest number of the wall in units of its height. A digit is about two thirds as
 * wide as high, and "of 169" has a quarter of the size of the number.
 */
export const wallDigits = (tiles: readonly { count: string; of: string }[]): number =>
  Math.max(1.5, ...tiles.map(({ count, of }) => 0.68 * (count.length + of.length / 4) + 0.15));

/**
 * How many people are expected at a door: everyone with a confirmed ticket at the entrance. Who
 * comes to a session or a room is unknown. Null without ticket types.
 */
export const expectedAt = (
  { subjectType }: Pick<DoorCount, 'subjectType'>,
  types: readonly Pick<TicketType, 'counts'>[] | undefined,
): number | null =>
  subjectType === 'event' && types && types.length > 0
    ? types.reduce((sum, { counts }) => sum + counts.confirmed, 0)
    : null;
