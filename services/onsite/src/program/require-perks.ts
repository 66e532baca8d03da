import type { EventScope } from '@event-api/contracts/internal/scope';
import { unknownEntries } from '../errors.ts';
import { findMissingPerks } from '../projections/find-missing.ts';
import type { ProgramDeps } from './deps.ts';

/**
 * Checks that the event has every perk. Errors: 400 with each field that names an unknown perk;
 * 503.
 */
export async function requirePerks(
  deps: ProgramDeps,
  scope: EventScope,
  perkIds: readonly string[],
): Promise<void> {
  const unknown = await findMissingPerks(deps, scope, perkIds);
  if (unknown.length > 0) throw unknownEntries(unknown);
}
