import { normalEmail } from '@event-api/contracts/email';
import type { EventScope } from '@event-api/contracts/internal/scope';
import {
  type FoundRegistration,
  findRegistrations,
  maxFound,
} from '@event-api/contracts/operator/persons';
import type { HttpServer } from '@event-api/platform/http/server';
import type { z } from 'zod';
import type { RegistrationDeps } from '../deps.ts';
import { readPerks } from '../perks/resolve.ts';
import { readRegistration } from '../registrations/registrations.queries.ts';
import { registrationView } from '../registrations/registrations.view.ts';
import { findByCode, findByEmail } from './persons.queries.ts';

export function personRoutes(app: HttpServer, deps: RegistrationDeps): void {
  app.route({
    ...findRegistrations,
    handler: async ({ body: { businessUnitId, eventId = null, email, checkinCode = '' } }) => {
      const scope = { businessUnitId, eventId };
      const found =
        email === undefined
          ? await findByCode(deps.db, scope, checkinCode)
          : await findByEmail(deps.db, scope, normalEmail(email));
      const registrations = [];
      for (const { id, eventId } of found.slice(0, maxFound)) {
        registrations.push(await foundRegistration(deps, { businessUnitId, eventId }, id));
      }
      return { registrations, isComplete: found.length <= maxFound };
    },
  });
}

/** Reads a registration, after any promotion that is due, with its perks. */
async function foundRegistration(
  deps: RegistrationDeps,
  scope: EventScope,
  id: string,
): Promise<z.input<typeof FoundRegistration>> {
  await deps.expireAndPromoteIfDue(scope);
  const registration = await readRegistration(deps.db, scope, id);
  return { ...registrationView(registration), perks: await readPerks(deps, scope, id) };
}
