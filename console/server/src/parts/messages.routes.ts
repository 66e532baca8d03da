import { DelayedMessages } from '@event-api/contracts/console/parts';
import { serviceNames } from '@event-api/contracts/topology';
import { createSharedReads } from '@event-api/platform/core/shared-reads';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ReadReadiness } from '../owners/readiness.ts';
import { timeouts } from '../timeouts.ts';

/**
 * Which services do not reach the message bus, so that others learn of their changes late, for
 * every operator. All browsers share the requests to the services.
 */
export function messageRoutes(
  app: HttpServer,
  { readReadiness }: { readReadiness: ReadReadiness },
): void {
  const share = createSharedReads<string[]>({
    intervalMs: () => timeouts.sharedReadMs,
    maxKeys: 1,
  });
  const readDelayed = async () => {
    const read = await Promise.all(
      serviceNames.map(async (name) => ({ name, ...(await readReadiness(name)) })),
    );
    return read.flatMap(({ name, missing }) => (missing.includes('nats') ? [name] : []));
  };
  app.get(
    '/messages',
    { schema: { response: { 200: DelayedMessages } }, config: { isUnattended: true } },
    async () => ({ delayed: await share('', readDelayed) }),
  );
}
