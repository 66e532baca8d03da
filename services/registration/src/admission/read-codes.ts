import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { RedemptionCode } from '../redemption-codes/redemption-code.entity.ts';
import type { CodeState } from '../seats/seats.rules.ts';
import type { RecordRefs } from './requests.ts';

const columns = columnsOf(RedemptionCode, 'c', {
  only: [
    'id',
    'code',
    'ticketTypeId',
    'maxUses',
    'uses',
    'expiresAt',
    'status',
    'discountType',
    'discountValue',
  ],
});

// Each part reads its few rows by one index; business unit and event are checked afterwards.
const referencedCodes = statement<RowOf<typeof columns> & { key: string }>(
  'admission_codes',
  `with found as materialized (
     select * from registration.redemption_code where event_id = $1 and code_key = any($3)
     union
     select * from registration.redemption_code where id = any($4)
   )
   select ${columns.sql}, c.code_key as key
   from found c where c.event_id = $1 and c.business_unit_id = $2`,
);

/**
 * Reads the redemption codes that the requests name, and those that these registrations and
 * reservations use.
 */
export async function readCodes(
  tx: Tx,
  event: string[],
  { codeKeys }: RecordRefs,
  users: readonly { redemptionCodeId: string | null }[],
): Promise<CodeState[]> {
  const ids = users.flatMap(({ redemptionCodeId }) => redemptionCodeId ?? []);
  if (codeKeys.length === 0 && ids.length === 0) return [];
  const rows = await tx.query(referencedCodes, [...event, codeKeys, ids]);
  return rows.map(({ discountType, discountValue, ...row }) => ({
    ...row,
    discount:
      discountType === null || discountValue === null
        ? null
        : { type: discountType, value: discountValue },
  }));
}
