import { PlatformParts } from '@event-api/contracts/console/parts';
import { processNames } from '@event-api/contracts/topology';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ReadReadiness } from '../owners/readiness.ts';

/**
 * Which processes are ready and what they do not reach, for administrators of the platform. The
 * console itself is ready: it responds.
 */
export function partRoutes(
  app: HttpServer,
  { readReadiness }: { readReadiness: ReadReadiness },
): void {
  app.get('/parts', { schema: { response: { 200: PlatformParts } } }, async () => ({
    parts: await Promise.all(
      processNames.map(async (name) => ({
        name,
        ...(name === 'console' ? { isReady: true, missing: [] } : await readReadiness(name)),
      })),
    ),
  }));
}
