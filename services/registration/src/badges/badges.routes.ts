import {
  type BadgeFormat,
  badgeMediaTypes,
  getRegistrationBadge,
} from '@event-api/contracts/http/registrations';
import { scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { Badge } from '../badge-files/badge.ts';
import { createDrawer } from '../badge-files/drawer.ts';
import type { DrawJob } from '../badge-files/job.ts';
import type { WalletSigner } from '../config.ts';
import type { RegistrationDeps } from '../deps.ts';
import { walletUnavailable } from '../errors.ts';
import { timeouts } from '../timeouts.ts';
import { readBadgeOf } from './read.ts';
import { sendFile } from './send-file.ts';

/** Drawing takes some milliseconds, so a queue of this length is served before the timeout. */
const maxWaiting = 100;

export function badgeFileRoutes(app: HttpServer, deps: RegistrationDeps): void {
  const { drawBadgeMs: timeoutMs, loadDrawerMs: loadMs, drawIdleMs: idleMs } = timeouts;
  const { wallet: signer } = deps;
  const drawer = createDrawer({ idleMs, timeoutMs, loadMs, maxWaiting });
  app.addHook('onClose', () => drawer.close());

  app.route({
    ...getRegistrationBadge,
    handler: async (request, reply) => {
      const scope = scopeOf(request);
      const { params, query } = request;
      await deps.expireAndPromoteIfDue(scope);
      const badge = await readBadgeOf(deps, scope, params.id);
      const file = await drawer.draw(jobOf(query.format, badge, { id: params.id, signer }));
      return sendFile(reply as never, fileHeaders(query.format), file);
    },
  });
}

/** Errors: 412 for a wallet pass without a signer. */
function jobOf(
  format: BadgeFormat,
  badge: Badge,
  { id, signer }: { id: string; signer: WalletSigner | null },
): DrawJob {
  if (format === 'svg') return { format, badge };
  if (format === 'pdf') return { format, title: badge.eventName, badges: [badge] };
  if (!signer) throw walletUnavailable();
  return { format, id, badge, signer };
}

/**
 * Names are typed by others: in an SVG that a browser opens as a page, the policy lets nothing run
 * and nothing load.
 */
const fileHeaders = (format: BadgeFormat): Record<string, string> => ({
  'content-type': badgeMediaTypes[format],
  'content-disposition': `inline; filename="badge.${format}"`,
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
});
