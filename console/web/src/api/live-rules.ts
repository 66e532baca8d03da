import { intervalMsOf } from './intervals.ts';

/**
 * Whether the numbers of a page are live: the stream is open, is being opened or opened again, or
 * has been away for a while.
 */
export type LiveState = 'connecting' | 'connected' | 'reconnecting' | 'stale';

/** What is known about the stream of an event. Instants are milliseconds. */
export interface Connection {
  /** When it opened; null while it is not open. */
  openedAt: number | null;
  /** When the last message arrived. Null before the first one. */
  heardAt: number | null;
  /**
   * When the numbers were surely current: the last message while all parts responded. Null before.
   */
  currentAt: number | null;
  /** When it was lost, or when the first attempt began. */
  lostAt: number;
  /**
   * Whether the parts behind the stream respond; `pending` until each has responded or failed once.
   */
  parts: 'pending' | 'current' | 'away';
}

/** After this time without a stream, its numbers are called stale. */
export const staleAfterMs = 10_000;

/**
 * The server sends a heartbeat every 15 seconds. A stream that is silent for two of them and some
 * more has died.
 */
export const silentAfterMs = 40_000;

export function decideLiveState(connection: Connection, now: number): LiveState {
  const { openedAt, currentAt, lostAt, parts } = connection;
  if (parts === 'away') return 'stale';
  if (openedAt !== null && parts === 'current') return 'connected';
  if (now - (openedAt ?? lostAt) >= staleAfterMs) return 'stale';
  return currentAt === null ? 'connecting' : 'reconnecting';
}

/** Whether an open stream has died in silence. */
export const isSilent = ({ openedAt, heardAt }: Connection, now: number): boolean =>
  openedAt !== null && now - Math.max(openedAt, heardAt ?? 0) > silentAfterMs;

/** Sums up a status message, which names the status of each part. */
export function partsOf(status: Record<string, string>): Connection['parts'] {
  const values = Object.values(status);
  if (values.includes('away')) return 'away';
  return values.includes('pending') ? 'pending' : 'current';
}

/** The reads that show each kind of record: paths of API operations and names of commands. */
const readersOf: Record<string, RegExp> = {
  event: /^v1\/events(\/[^/]+)?$|^event\./,
  ticket_type: /\/(ticket-types|bundles)/,
  addon: /\/(addons|bundles)/,
  bundle: /\/bundles/,
  redemption_code: /\/redemption-codes|^code\./,
  registration:
    /\/(registrations|attendees|ticket-types|redemption-codes)|^(registration|checkin|change)\./,
  order: /\/(orders|ticket-types)|^(order|refund|sales|change)\./,
  // The stream itself brings the counts.
  checkin: /\/checkins(?!\/summary)|^checkin\./,
  session: /\/(sessions|speakers)/,
  speaker: /\/speakers/,
  venue: /\/(venues|sessions|exhibitors)/,
  exhibitor: /\/exhibitors/,
};

/**
 * Whether a read may show something else after changes of these types, such as `order.paid`. A read
 * with an interval waits for it, so that a surge of check-ins adds none.
 */
export const isConcerned = (operation: string, changeTypes: Iterable<string>): boolean =>
  intervalMsOf(operation) === undefined &&
  [...changeTypes].some((type) => readersOf[type.replace(/\..*/, '')]?.test(operation) ?? true);

const shortestPauseMs = 1000;
const pausePerReadMs = 200;

/**
 * How long the page waits before it reads again: at most once a second, and at most five requests a
 * second.
 */
export const pauseAfter = (reads: number): number =>
  Math.max(shortestPauseMs, reads * pausePerReadMs);
