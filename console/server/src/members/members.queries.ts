import type { Role } from '@event-api/contracts/permissions';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { Operator } from '../operators/operator.entity.ts';
import { Member } from './member.entity.ts';

const columns = columnsOf(Member, 'm', { omit: ['businessUnitId'] });
const operator = columnsOf(Operator, 'o', { only: ['name', 'email'] });

/** A member with its operator. */
export type MemberRow = RowOf<typeof columns> & RowOf<typeof operator>;

const select = `select ${columns.sql}, ${operator.sql}
  from console.member m join console.operator o on o.id = m.operator_id`;

const ofUnit = statement<MemberRow>(
  'members_of_unit',
  `${select} where m.business_unit_id = $1 order by m.created_at, m.operator_id`,
);

/** Lists the members of a business unit, oldest first. */
export const listMembers = (db: Db, businessUnitId: string): Promise<MemberRow[]> =>
  db.query(ofUnit, [businessUnitId]);

const oneMember = statement<MemberRow>(
  'member_of_unit',
  `${select} where m.business_unit_id = $1 and m.operator_id = $2`,
);

/** Returns a member, or null. */
export async function findMember(
  db: Db,
  businessUnitId: string,
  operatorId: string,
): Promise<MemberRow | null> {
  const [row] = await db.query(oneMember, [businessUnitId, operatorId]);
  return row ?? null;
}

const unitOfMember = columnsOf(Member, 'm', { only: ['businessUnitId', 'role'] });

const unitsStatement = statement<RowOf<typeof unitOfMember>>(
  'units_of_operator',
  `select ${unitOfMember.sql} from console.member m
   where m.operator_id = $1 order by m.created_at, m.business_unit_id`,
);

/** Lists the business units of an operator, in the order in which it became a member. */
export const listUnitsOf = (db: Db, operatorId: string) => db.query(unitsStatement, [operatorId]);

const memberRole = columnsOf(Member, 'm', { only: ['operatorId', 'role'] });

const lockStatement = statement<RowOf<typeof memberRole>>(
  'members_lock',
  `select ${memberRole.sql} from console.member m where m.business_unit_id = $1
   order by m.operator_id for update`,
);

/** Locks all members of a business unit, always in the same order, and returns them. */
export const lockMembers = (tx: Tx, businessUnitId: string) =>
  tx.query(lockStatement, [businessUnitId]);

const setRoleStatement = statement(
  'member_set_role',
  'update console.member set role = $3 where business_unit_id = $1 and operator_id = $2',
);
export const writeRole = (tx: Tx, businessUnitId: string, operatorId: string, role: Role) =>
  tx.query(setRoleStatement, [businessUnitId, operatorId, role]);

const removeStatement = statement(
  'member_remove',
  'delete from console.member where business_unit_id = $1 and operator_id = $2',
);
export const deleteMember = (tx: Tx, businessUnitId: string, operatorId: string) =>
  tx.query(removeStatement, [businessUnitId, operatorId]);

const addStatement = statement(
  'member_add',
  `insert into console.member (business_unit_id, operator_id, role) values ($1, $2, $3)
   on conflict (business_unit_id, operator_id) do nothing`,
);
/** Makes an operator a member. A member keeps its role. */
export const insertMember = (tx: Tx, businessUnitId: string, operatorId: string, role: Role) =>
  tx.query(addStatement, [businessUnitId, operatorId, role]);
