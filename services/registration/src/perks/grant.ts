import type { EffectivePerk } from '@event-api/contracts/http/registrations';
import type { grantPerk as grantPerkOperation } from '@event-api/contracts/operator/registration-perks';
import { recordAudit } from '@event-api/platform/audit/write';
import type { z } from 'zod';
import type { RegistrationDeps } from '../deps.ts';
import { readRegistration } from '../registrations/registrations.queries.ts';
import { writeGrant } from './perks.queries.ts';
import { readPerks, requirePerk } from './resolve.ts';

type Grant = z.output<typeof grantPerkOperation.schema.body>;

/**
 * Grants a perk to one registration. A repeated grant changes nothing.
 * Errors: 404 for an unknown registration or perk; 503. Emits: the registration.
 */
export const grantPerk = (deps: RegistrationDeps, grant: Grant): Promise<EffectivePerk[]> =>
  changeGrant(deps, grant, true);

/**
 * Revokes a grant of one registration. Other sources of the perk stay, and a missing grant changes
 * nothing.
 * Errors: 404 for an unknown registration or perk; 503. Emits: the registration.
 */
export const revokePerk = (deps: RegistrationDeps, grant: Grant): Promise<EffectivePerk[]> =>
  changeGrant(deps, grant, false);

async function changeGrant(
  deps: RegistrationDeps,
  { registrationId, perkId, ...scope }: Grant,
  isGranted: boolean,
): Promise<EffectivePerk[]> {
  await readRegistration(deps.db, scope, registrationId);
  await requirePerk(deps, scope, perkId);
  await deps.db.transaction((tx) => {
    recordAudit(tx);
    return writeGrant(tx, scope, { registrationId, perkId }, isGranted);
  });
  return readPerks(deps, scope, registrationId);
}
