import type {
  RosterBadge,
  RosterDoor,
  RosterEvent,
  RosterSource,
} from '@event-api/contracts/http/roster';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Moment } from '../api/clock.ts';
import { ownName } from './own-names.ts';

/** The roster of the event, without its badges. */
export interface Roster {
  eventId: string;
  /** Whether the badges have names. */
  hasNames: boolean;
  cursor: string;
  /** A roster that an earlier version of the page has stored has none. */
  event?: RosterEvent;
  sources: readonly RosterSource[];
  doors: readonly RosterDoor[];
  /** When the platform has confirmed it last, by the clock of the device. */
  readAt: number;
}

/** A decision of this device that the platform does not have yet. */
export interface UnsentScan {
  scanId: string;
  eventId: string;
  eventName: string;
  /** What was shown: the code of a badge, or a registration that was found by name. */
  shown: { checkinCode: string } | { registrationId: string };
  door: { subjectType: RosterDoor['subjectType']; subjectId: string; name: string | null };
  decision: 'admitted' | 'refused';
  rosterCursor: string;
  moment: Moment;
}

/** A person whom this device or another one has let in at a door. */
export interface Admission {
  eventId: string;
  /** By the clock of the platform; null if it was not known. */
  at: string | null;
  /** The scan of this device that reports it; null if the platform has decided. */
  scanId: string | null;
  /** The check-in of the platform; null while it does not have the scan. */
  checkinId: string | null;
  /** The badge that was let in; null if it is not known. */
  codeHash: string | null;
}

interface Schema extends DBSchema {
  /**
   * Badges by the first characters of the hash of their code, so that a large event is a few
   * thousand records.
   */
  badges: { key: string; value: RosterBadge[] };
  roster: { key: 'current'; value: Roster };
  scans: { key: string; value: UnsentScan; indexes: { eventId: string } };
  /** By `admissionKey`. */
  admissions: { key: string; value: Admission };
}

let opening: Promise<IDBPDatabase<Schema>> | undefined;

/** What the browser keeps: it survives a closed page, a crash and a dead battery. */
export function database(): Promise<IDBPDatabase<Schema>> {
  if (opening) return opening;
  const opened = openDB<Schema>(ownName('scanner'), 1, {
    upgrade(created) {
      created.createObjectStore('badges');
      created.createObjectStore('roster');
      created.createObjectStore('scans', { keyPath: 'scanId' }).createIndex('eventId', 'eventId');
      created.createObjectStore('admissions');
    },
    // A later version of the page waits for this one; the next use opens the database again.
    blocking: (_current, _blocked, event) => {
      (event.target as IDBDatabase).close();
      opening = undefined;
    },
    terminated: () => {
      opening = undefined;
    },
  });
  // An attempt that failed is not the last one.
  opened.catch(() => {
    opening = undefined;
  });
  opening = opened;
  return opened;
}
