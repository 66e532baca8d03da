import { isMutation } from '@event-api/contracts/operation';
import { boundedCache } from '@event-api/platform/core/bounded-cache';
import type { FastifyRequest } from 'fastify';
import type { Forwarded, ShareRead } from '../forwarding/forward.ts';
import type { ServiceResponse } from '../owners/send.ts';
import { timeouts } from '../timeouts.ts';
import { parsePosition } from './position.ts';
import type { LiveEvents } from './watch.ts';

/** The header in which a page names the last message of its live stream. */
const messageHeader = 'live-message';

const maxReads = 200;

interface Read {
  /** The position of the event when the read began. */
  position: number;
  response: Promise<ServiceResponse>;
}

/**
 * Shares responses between the pages that watch an event: they read the same records after each message, and the work of the
 * services must not grow with the number of pages. A response is shared for one second, by operators with the same permissions
 * in the unit, and only if its read began after the message that the page names. So a page never shows a record that is older
 * than its last message. Responses with errors are not shared.
 */
export function createShareRead(live: Pick<LiveEvents, 'positionOf'>): ShareRead {
  const reads = boundedCache<string, Read>(maxReads, { ttl: timeouts.sharedReadMs });
  return async (request, forwarded, send) => {
    const seen = parsePosition(request.headers[messageHeader] as string | undefined);
    const { operation, caller, scope } = forwarded;
    if (seen === null || isMutation(operation) || !scope?.eventId) return send();
    const { businessUnitId: id, eventId } = scope;
    const position = live.positionOf({ unit: { id }, eventId });
    if (position === null) return send();
    const key = JSON.stringify([id, caller.permissions, ...contentOf(request, forwarded)]);
    const shared = reads.get(key);
    if (shared && shared.position >= seen) {
      const response = await shared.response.catch(() => null);
      if (response?.status === 200) return response;
      return send();
    }
    const response = send();
    reads.set(key, { position, response });
    return response;
  };
}

/** What the response depends on, besides the permissions. */
function contentOf(request: FastifyRequest, { operation, path, body }: Forwarded): unknown[] {
  const { accept, 'if-none-match': etag } = request.headers;
  const sent = body === undefined ? (request.body as Buffer | undefined) : body;
  return [operation.config.operationId, path, accept, etag, sent?.toString()];
}
