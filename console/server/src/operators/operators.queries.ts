import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

const byIdentity = statement<{ operatorId: string }>(
  'operator_by_identity',
  'select operator_id as "operatorId" from console.identity where issuer = $1 and subject = $2',
);

/** Returns the operator of an identity, or null. */
export async function findOperatorId(
  db: Db,
  issuer: string,
  subject: string,
): Promise<string | null> {
  const [row] = await db.query(byIdentity, [issuer, subject]);
  return row?.operatorId ?? null;
}

const names = statement<{ id: string; name: string }>(
  'operator_names',
  'select id, name from console.operator where id = any($1::text[])',
);

/** The names of operators by id. An unknown one has none. */
export async function findOperatorNames(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query(names, [ids]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const updateProfileStatement = statement(
  'operator_update_profile',
  `update console.operator set name = $2, email = $3, email_verified = $4
   where id = $1 and (name, email, email_verified) is distinct from ($2, $3, $4)`,
);

/** Stores what the identity provider says about an operator. */
export const updateProfile = (
  db: Db,
  id: string,
  profile: { name: string; email: string | null; emailVerified: boolean },
) => db.query(updateProfileStatement, [id, profile.name, profile.email, profile.emailVerified]);

/** An administrator of the platform. */
export interface AdministratorRow {
  operatorId: string;
  name: string;
  email: string | null;
}

const administratorColumns = 'id as "operatorId", name, email';

const administrators = statement<AdministratorRow>(
  'operator_administrators',
  `select ${administratorColumns} from console.operator where platform_admin order by created_at, id`,
);

/** The administrators of the platform, oldest first. */
export const listAdministrators = (db: Db): Promise<AdministratorRow[]> =>
  db.query(administrators, []);

const removeAdministrator = statement<AdministratorRow>(
  'operator_remove_administrator',
  `update console.operator set platform_admin = false where id = $1 and platform_admin
   returning ${administratorColumns}`,
);

/** Ends the administration by an operator and returns it; null if it is no administrator. */
export async function deleteAdministrator(
  db: Db,
  operatorId: string,
): Promise<AdministratorRow | null> {
  const [row] = await db.query(removeAdministrator, [operatorId]);
  return row ?? null;
}
