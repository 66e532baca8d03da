import type { EffectivePerk } from '@event-api/contracts/http/registrations';
import type { grantPerk as grantPerkOperation } from '@event-api/contracts/operator/registration-perks';
import type { z } from 'zod';
import type { RegistrationDeps } from '../admission/register.ts';
import { readRegistration } from '../registrations/queries.ts';
import { writeGrant } from './queries.ts';
import { readPerks } from './read.ts';
import { requirePerk } from './require-perk.ts';

type Grant = z.output<typeof grantPerkOperation.schema.body>;

/**
 * Gives a perk to one registration, or takes back what was given so; what is so already stays. What
 * delivers the perk besides is not touched. Errors: 404 for an unknown registration or perk; 503.
 */
export async function setGrant(
  deps: RegistrationDeps,
  { registrationId, perkId, ...scope }: Grant,
  granted: boolean,
): Promise<EffectivePerk[]> {
  await readRegistration(deps.db, scope.businessUnitId, scope.eventId, registrationId);
  await requirePerk(deps, scope, perkId);
  await deps.db.transaction((tx) => writeGrant(tx, scope, { registrationId, perkId }, granted));
  return readPerks(deps, scope, registrationId);
}
