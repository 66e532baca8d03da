import type { bindCodePerk as bindOperation } from '@event-api/contracts/operator/registration-perks';
import { recordAudit } from '@event-api/platform/audit/write';
import type { z } from 'zod';
import type { RegistrationDeps } from '../deps.ts';
import type { PerkDetails } from '../perks/perks.rules.ts';
import { requirePerk } from '../perks/resolve.ts';
import { findCodesOfPerk, readCode, writeCodePerk } from './redemption-codes.queries.ts';

type Binding = z.output<typeof bindOperation.schema.body>;

/** A perk with the ids of the codes that deliver it, oldest first. */
export interface CodePerk {
  perk: PerkDetails;
  codeIds: string[];
}

/**
 * Lets a redemption code deliver a perk. Registrations that used the code gain the perk. A repeated
 * binding changes nothing. Errors: 404 for an unknown code or perk; 503. Emits: the code.
 */
export const bindCodePerk = (deps: RegistrationDeps, binding: Binding): Promise<CodePerk> =>
  changeBinding(deps, binding, true);

/**
 * Ends the delivery of a perk by a redemption code. Registrations that used the code lose the perk,
 * unless another source delivers it. Errors: 404 for an unknown code or perk; 503. Emits: the code.
 */
export const unbindCodePerk = (deps: RegistrationDeps, binding: Binding): Promise<CodePerk> =>
  changeBinding(deps, binding, false);

async function changeBinding(
  deps: RegistrationDeps,
  { perkId, targetId: codeId, ...scope }: Binding,
  isBound: boolean,
): Promise<CodePerk> {
  await readCode(deps.db, scope, codeId);
  const perk = await requirePerk(deps, scope, perkId);
  await deps.db.transaction((tx) => {
    recordAudit(tx);
    return writeCodePerk(tx, scope, { codeId, perkId }, isBound);
  });
  return { perk, codeIds: await findCodesOfPerk(deps.db, scope, perkId) };
}
