import { PlatformParts } from '@event-api/contracts/console/parts';
import { processNames } from '@event-api/contracts/topology';
import type { HttpServer } from '@event-api/platform/http/server';
import type { IsReady } from '../owners/readiness.ts';

/**
 * Which processes are ready, for administrators of the platform. The console itself is: it
 * responds.
 */
export function partRoutes(app: HttpServer, { isReady }: { isReady: IsReady }): void {
  app.get('/parts', { schema: { response: { 200: PlatformParts } } }, async () => ({
    parts: await Promise.all(
      processNames.map(async (name) => ({
        name,
        isReady: name === 'console' || (await isReady(name)),
      })),
    ),
  }));
}
