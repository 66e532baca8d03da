import { showUnitUsage } from '@event-api/contracts/operator/unit-usage';
import type { Clock } from '@event-api/platform/core/clock';
import type { Db } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import type { z } from 'zod';
import { unitNames } from '../business-units/business-units.queries.ts';
import type { SharedUsage } from './shared-usage.ts';
import { minuteOf, startOf, type Usage } from './unit-usage.rules.ts';

type Response = z.input<(typeof showUnitUsage.schema.response)[200]>;

/** The most units in a response, and the most credentials of each. */
const maxUnits = 20;
const maxCredentials = 5;

export function unitUsageRoutes(
  app: HttpServer,
  { usage, db, clock }: { usage: SharedUsage; db: Db; clock: Clock },
): void {
  app.route({
    ...showUnitUsage,
    handler: async ({ body: { minutes } }): Promise<Response> => {
      const now = clock.now();
      const first = minuteOf(now) - (minutes - 1);
      const { all, units } = await usage.read(first, minuteOf(now));
      const heaviest = units.slice(0, maxUnits);
      const names = await unitNames(
        db,
        heaviest.map(({ businessUnitId }) => businessUnitId),
      );
      return {
        from: startOf(first).toISOString(),
        until: now.toISOString(),
        ...figuresOf(all),
        units: heaviest.map(({ businessUnitId, credentials, ...used }) => ({
          businessUnitId,
          name: names.get(businessUnitId) ?? null,
          share: all.requests === 0 ? 0 : rounded(used.requests / all.requests, 3),
          ...figuresOf(used),
          credentials: credentials
            .slice(0, maxCredentials)
            .map(({ id, ...ofCredential }) => ({ id, ...figuresOf(ofCredential) })),
        })),
      };
    },
  });
}

const figuresOf = ({ requests, refused, busyMs }: Usage) => ({
  requests,
  refused,
  busySeconds: rounded(busyMs / 1000, 1),
});

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
