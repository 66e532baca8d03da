import * as operations from '@event-api/contracts/operator/registrations';
import type { Logger } from '@event-api/platform/core/log';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import { registrationView } from '../registrations/registrations.view.ts';
import { changeStatus } from './change-status.ts';
import type { AdmissionDeps } from './deps.ts';
import { expectedOf } from './expected-of.ts';

/** The commands of operators that decide about a seat. */
export function admissionOperatorRoutes(
  app: HttpServer,
  deps: AdmissionDeps & { log: Logger },
): void {
  app.route({
    ...operations.confirmRegistration,
    handler: async ({ body: { registrationId, reason, expected, ...scope } }) => {
      await deps.refresher.require(eventRef(scope));
      const confirmed = await changeStatus(deps, scope, {
        kind: 'confirm',
        registrationId,
        expected: expectedOf(expected),
      });
      deps.log.info({ ...scope, registrationId, reason }, 'registration confirmed by an operator');
      return registrationView(confirmed);
    },
  });
}
