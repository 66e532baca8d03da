// Copies all registrations into a database and keeps the copy complete. It follows the change feed,
// and the digest of the feed proves that no change is missing. It can be stopped at any time and
// continues where it was.
//   EVENT_API_KEY=rk_… DATABASE=crm.sqlite node examples/crm-sync.ts [--once]
// A key with the group read is sufficient. --once ends at the present end of the feed.
import { DatabaseSync } from 'node:sqlite';
import {
  changes,
  createClient,
  EventApiError,
  FeedDigestError,
  type FeedPosition,
  getChangesHead,
  getRegistration,
  listAll,
  listEvents,
  listRegistrations,
  type Registration,
} from '@event-api/client';
import { api, setting } from './settings.ts';

const client = createClient(api());
const db = new DatabaseSync(setting('DATABASE'));
db.exec(`
  create table if not exists person (registration_id text primary key, event_id text, email text, name text, status text);
  create table if not exists position (one integer primary key check (one = 1), cursor text, digest text);
`);
const insert = db.prepare('insert or replace into person values (?, ?, ?, ?, ?)');
const savePosition = db.prepare('insert or replace into position values (1, ?, ?)');

/**
 * The records and the position after them are one transaction, so the copy never has one without
 * the other.
 */
function commit(position: FeedPosition, write: () => void): void {
  db.exec('begin immediate');
  try {
    write();
    savePosition.run(position.cursor, position.digest);
    db.exec('commit');
  } catch (error) {
    db.exec('rollback');
    throw error;
  }
}

const save = ({ id, eventId, email, name, status }: Registration) =>
  insert.run(id, eventId, email, name, status);

/** Reads everything. The position is read first, so later changes follow in the feed. */
async function copyAll(): Promise<void> {
  const position = await getChangesHead({ client });
  const people: Registration[] = [];
  for await (const { id: eventId } of listAll(listEvents, { client })) {
    const list = listAll(listRegistrations, { client, path: { eventId } });
    for await (const registration of list) people.push(registration);
  }
  commit(position, () => {
    db.exec('delete from person');
    for (const registration of people) save(registration);
  });
  console.log(`copied ${people.length} registrations`);
}

async function follow(from: FeedPosition, untilEnd: boolean): Promise<void> {
  for await (const page of changes({ client, from, untilEnd })) {
    // One read returns the newest state, also when several changes name the registration.
    const named = new Map<string, string>();
    for (const { object, eventId } of page.changes) {
      if (object.type === 'registration' && eventId) named.set(object.id, eventId);
    }
    const people: Registration[] = [];
    for (const [id, eventId] of named) {
      people.push(await getRegistration({ client, path: { eventId, id } }));
    }
    commit(page.position, () => {
      for (const registration of people) save(registration);
    });
    console.log(`applied ${page.changes.length} changes, digest ${page.position.digest}`);
  }
}

const readPosition = () =>
  db.prepare('select cursor, digest from position').get() as FeedPosition | undefined;

/** A database was restored, the changes are older than 90 days, or one is missing. */
const mustCopyAgain = (error: unknown): boolean =>
  error instanceof FeedDigestError ||
  (error instanceof EventApiError &&
    (error.reason === 'FEED_RESET' || error.reason === 'CURSOR_EXPIRED'));

const once = process.argv.includes('--once');
do {
  const position = readPosition();
  if (!position) await copyAll();
  try {
    await follow(readPosition() as FeedPosition, once);
  } catch (error) {
    if (!mustCopyAgain(error)) throw error;
    console.error(`copying again: ${(error as Error).message}`);
    db.exec('delete from position');
  }
} while (!once || !readPosition());
