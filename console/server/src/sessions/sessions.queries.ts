import type { Role } from '@event-api/contracts/permissions';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { Operator } from '../operators/operator.entity.ts';
import { timeouts } from '../timeouts.ts';
import { Session } from './session.entity.ts';

const ofSession = columnsOf(Session, 's', { only: ['operatorId'] });
const operator = columnsOf(Operator, 'o', { only: ['name', 'email', 'platformAdmin'] });

/** A session that has not ended, with its operator. */
export interface SessionRow extends RowOf<typeof ofSession>, RowOf<typeof operator> {
  /**
   * Its role in the requested business unit; null without one and for a unit of which it is no
   * member.
   */
  role: Role | null;
  /** When it ends without another request. */
  expiresAt: Date;
  /** The last request was stored some time ago. */
  isStale: boolean;
}

const idle = `interval '${timeouts.sessionIdleSeconds} s'`;
const isOpen = `s.expires_at > clock_timestamp() and s.seen_at > clock_timestamp() - ${idle}`;

const openSession = statement<SessionRow>(
  'session_open',
  `select ${ofSession.sql}, ${operator.sql}, m.role,
     least(s.expires_at, s.seen_at + ${idle}) as "expiresAt",
     s.seen_at < clock_timestamp() - interval '${timeouts.sessionTouchSeconds} s' as "isStale"
   from console.session s
     join console.operator o on o.id = s.operator_id
     left join console.member m on m.business_unit_id = $2 and m.operator_id = s.operator_id
   where s.id_hash = $1 and ${isOpen}`,
);

/** Returns a session with the role of its operator in a business unit; null if it has ended. */
export async function findSession(
  db: Db,
  idHash: string,
  businessUnitId: string | null,
): Promise<SessionRow | null> {
  const [row] = await db.query(openSession, [idHash, businessUnitId]);
  return row ?? null;
}

const listed = columnsOf(Session, 's', { only: ['createdAt', 'seenAt'] });

const ofOperator = statement<RowOf<typeof listed> & { isCurrent: boolean; expiresAt: Date }>(
  'sessions_of_operator',
  `select s.id_hash = $2 as "isCurrent", ${listed.sql},
     least(s.expires_at, s.seen_at + ${idle}) as "expiresAt"
   from console.session s where s.operator_id = $1 and ${isOpen} order by s.seen_at desc, s.id_hash`,
);

/**
 * Lists the open sessions of an operator, the latest request first. `idHash` is the current one.
 */
export const listSessionsOf = (db: Db, operatorId: string, idHash: string) =>
  db.query(ofOperator, [operatorId, idHash]);

const countStatement = statement<{ open: number }>(
  'sessions_count',
  `select count(*)::int as open from console.session s where ${isOpen}`,
);

/** The number of sessions that have not ended, of all operators. */
export async function countSessions(db: Db): Promise<number> {
  const [row] = await db.query(countStatement);
  return row?.open ?? 0;
}

const createStatement = statement(
  'session_create',
  `insert into console.session (id_hash, operator_id, expires_at)
   values ($1, $2, clock_timestamp() + interval '${timeouts.sessionSeconds} s')`,
);
export const insertSession = (db: Db, idHash: string, operatorId: string) =>
  db.query(createStatement, [idHash, operatorId]);

const touchStatement = statement(
  'session_touch',
  'update console.session set seen_at = clock_timestamp() where id_hash = $1',
);
/** Updates the session's last-seen time. */
export const touchSession = (db: Db, idHash: string) => db.query(touchStatement, [idHash]);

const deleteStatement = statement(
  'session_delete',
  'delete from console.session where id_hash = $1',
);
/** Ends a session. */
export const deleteSession = (db: Db, idHash: string) => db.query(deleteStatement, [idHash]);

const deleteAllStatement = statement(
  'session_delete_of_operator',
  'delete from console.session where operator_id = $1',
);
/** Ends all sessions of an operator. */
export const deleteSessionsOf = (db: Db, operatorId: string) =>
  db.query(deleteAllStatement, [operatorId]);

const deleteEndedStatement = statement(
  'session_delete_ended',
  `delete from console.session s where s.expires_at < clock_timestamp()`,
);
/** Deletes the sessions whose time is over. Idle ones follow at the end of their time. */
export const deleteEndedSessions = (db: Db) => db.query(deleteEndedStatement);
