import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { FeeRule } from './fees.rules.ts';

const byUnit = statement<FeeRule>(
  'payment_fee_by_unit',
  `select f.basis_points as "basisPoints", f.fixed_amount as "fixedAmount"
   from commerce.payment_fee f where f.business_unit_id = $1`,
);

/** The fee of a unit; null if it was never set. */
export async function readFee(db: Db, businessUnitId: string): Promise<FeeRule | null> {
  const [row] = await db.query(byUnit, [businessUnitId]);
  return row ?? null;
}

const set = statement<{ id: string }>(
  'payment_fee_set',
  `insert into commerce.payment_fee as f (business_unit_id, basis_points, fixed_amount) values ($1, $2, $3)
   on conflict (business_unit_id) do update set basis_points = excluded.basis_points, fixed_amount = excluded.fixed_amount
     where (f.basis_points, f.fixed_amount) <> (excluded.basis_points, excluded.fixed_amount)
   returning business_unit_id as id`,
);

/** Stores the fee of a unit. Returns whether it had another one, or none. */
export const writeFee = async (
  tx: Tx,
  businessUnitId: string,
  { basisPoints, fixedAmount }: FeeRule,
): Promise<boolean> => (await tx.query(set, [businessUnitId, basisPoints, fixedAmount])).length > 0;
