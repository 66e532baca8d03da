import { platformTime } from '../api/clock.ts';
import { keyOf } from '../api/device.ts';
import { observable } from '../api/observable.ts';
import { type Admission, database, type UnsentScan } from './database.ts';
import { countDoors, type DoorCounts, noCounts, plus } from './door-counts.ts';

/** How many scans the platform does not have yet, for all events. */
export const unsentCount = observable(0);

/** Whom this page has let in, with the platform or without. */
export const admitted = observable<DoorCounts>(noCounts);

export const countAdmission = (door: Door): void =>
  admitted.set(plus(admitted.get(), countDoors([keyOf(door)])));

type Door = Parameters<typeof keyOf>[0];

export const admissionKey = (door: Door, registrationId: string): string =>
  `${keyOf(door)} ${registrationId}`;

/** Whether and when a person was let in at a door, as far as this device knows. */
export const findAdmission = async (
  door: Door,
  registrationId: string,
): Promise<Admission | undefined> =>
  (await database()).get('admissions', admissionKey(door, registrationId));

/**
 * Remembers a person whom the platform has let in at this door, for the time without a connection.
 */
export async function storeAdmission(
  door: Door,
  registrationId: string,
  admission: Admission,
): Promise<void> {
  await (await database()).put('admissions', admission, admissionKey(door, registrationId));
}

/** Stores a refusal. Resolves when it is on the disk. */
export async function storeRefusal(scan: UnsentScan): Promise<void> {
  const transaction = (await database()).transaction('scans', 'readwrite', strict);
  void transaction.store.put(scan);
  await transaction.done;
  await countUnsent();
}

/**
 * Stores an admission of this device. Resolves once durable: a shown admission survives power loss.
 * Returns the earlier admission if there is one: a second page may have stored it meanwhile.
 */
export async function storeAdmitted(
  scan: UnsentScan,
  { registrationId, codeHash }: { registrationId: string; codeHash: string | null },
): Promise<Admission | null> {
  const transaction = (await database()).transaction(['scans', 'admissions'], 'readwrite', strict);
  const admissions = transaction.objectStore('admissions');
  const key = admissionKey(scan.door, registrationId);
  const earlier = await admissions.get(key);
  if (!earlier) {
    const { eventId, scanId } = scan;
    const at = platformTime(scan.moment);
    void admissions.put({ eventId, at, scanId, checkinId: null, codeHash }, key);
    void transaction.objectStore('scans').put(scan);
  }
  await transaction.done;
  await countUnsent();
  return earlier ?? null;
}

/** Without it, a browser may report a commit that the disk does not have yet. */
const strict = { durability: 'strict' } as const;

/** The scans of an event that were not sent. */
export const readUnsent = async (eventId: string): Promise<UnsentScan[]> =>
  (await database()).getAllFromIndex('scans', 'eventId', eventId);

/** Whom this device has let in at the doors of an event without the platform knowing it yet. */
export const countUnsentAdmissions = async (eventId: string): Promise<DoorCounts> => {
  const scans = await readUnsent(eventId);
  return countDoors(
    scans.filter(({ decision }) => decision === 'admitted').map(({ door }) => keyOf(door)),
  );
};

/** The names of the events with scans that were not sent, without this one. */
export async function eventsWithUnsent(exceptId: string | null): Promise<string[]> {
  const scans = await (await database()).getAll('scans');
  const others = scans.filter(({ eventId }) => eventId !== exceptId);
  return [...new Set(others.map(({ eventName }) => eventName))];
}

/** Deletes who was let in at the doors of other events. */
export async function deleteOtherAdmissions(eventId: string | null): Promise<void> {
  const { store, done } = (await database()).transaction('admissions', 'readwrite');
  for await (const cursor of store) if (cursor.value.eventId !== eventId) await cursor.delete();
  await done;
}

/** Whether this scan waits to be sent. */
export const isUnsent = async (scanId: string): Promise<boolean> =>
  (await (await database()).getKey('scans', scanId)) !== undefined;

/** Deletes scans that the platform has. */
export async function deleteScans(scanIds: readonly string[]): Promise<void> {
  const transaction = (await database()).transaction('scans', 'readwrite');
  for (const scanId of scanIds) void transaction.store.delete(scanId);
  await transaction.done;
  await countUnsent();
}

export async function countUnsent(): Promise<void> {
  unsentCount.set(await (await database()).count('scans'));
}
