import type { Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { CodeState } from '../seats/seats.rules.ts';
import type { RecordRefs } from './requests.ts';

interface CodeRow extends Omit<CodeState, 'discount'> {
  discountType: 'percent' | 'amount' | null;
  discountValue: number | null;
}

const columns = `id, code, code_key, ticket_type_id, max_uses, uses, expires_at, status, discount_type, discount_value, event_id,
     business_unit_id`;

// Each part reads its few rows by one index; business unit and event are checked afterwards.
const referencedCodes = statement<CodeRow>(
  'admission_codes',
  `with found as materialized (
     select ${columns} from registration.redemption_code where event_id = $1 and code_key = any($3)
     union
     select ${columns} from registration.redemption_code where id = any($4)
   )
   select id, code, code_key as key, ticket_type_id as "ticketTypeId", max_uses as "maxUses", uses, expires_at as "expiresAt",
     status, discount_type as "discountType", discount_value as "discountValue"
   from found where event_id = $1 and business_unit_id = $2`,
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
