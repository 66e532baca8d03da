import type { bindCodePerk } from '@event-api/contracts/operator/registration-perks';
import type { z } from 'zod';
import type { RegistrationDeps } from '../admission/register.ts';
import { findCodesOfPerk, writeCodePerk } from '../perks/queries.ts';
import { requirePerk } from '../perks/require-perk.ts';
import type { PerkDetails } from '../perks/rules.ts';
import { readCode } from './queries.ts';

type Binding = z.output<typeof bindCodePerk.schema.body>;

/**
 * Lets a redemption code deliver a perk, or no longer; what is so already stays. Whoever has used the
 * code gains or loses the perk with it. Errors: 404 for an unknown code or perk; 503.
 */
export async function setCodePerk(
  deps: RegistrationDeps,
  { perkId, targetId: codeId, ...scope }: Binding,
  bound: boolean,
): Promise<{ perk: PerkDetails; codeIds: string[] }> {
  await readCode(deps.db, scope, codeId);
  const perk = await requirePerk(deps, scope, perkId);
  await deps.db.transaction((tx) => writeCodePerk(tx, scope, { codeId, perkId }, bound));
  return { perk, codeIds: await findCodesOfPerk(deps.db, scope, perkId) };
}
