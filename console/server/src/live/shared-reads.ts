import { isMutation } from '@event-api/contracts/operation';
import { createSharedReads } from '@event-api/platform/core/shared-reads';
import type { FastifyRequest } from 'fastify';
import type { Forwarded, ShareRead } from '../forwarding/forward.ts';
import type { ServiceResponse } from '../owners/send.ts';
import { timeouts } from '../timeouts.ts';

/** The header of a read that a page repeats because its live stream has named a change. */
const liveReadHeader = 'live-read';

/** A read beyond them is sent more often. */
const maxReads = 1000;

/**
 * Shares the reads of pages that watch an event: they read the same records after each message, and
 * the work of the services must not grow with the number of pages. Each read of an event is sent
 * once a second at most, for all operators with the same permissions in the business unit. A page
 * waits for a read that begins after its request, so it never gets an older response. Responses
 * with errors are not shared: each page sends its own read.
 */
export function createShareRead(): ShareRead {
  const share = createSharedReads<ServiceResponse>({
    intervalMs: () => timeouts.sharedReadMs,
    maxKeys: maxReads,
  });
  return async (request, forwarded, send) => {
    const isShared =
      request.headers[liveReadHeader] !== undefined &&
      !isMutation(forwarded.operation) &&
      forwarded.scope?.eventId != null;
    if (!isShared) return send();
    let own: Promise<ServiceResponse> | undefined;
    const sendOwn = () => {
      own = send();
      return own;
    };
    const response = await share(keyOf(request, forwarded), sendOwn).catch(() => null);
    return own ?? (response?.status === 200 ? response : send());
  };
}

/** What a response depends on. */
function keyOf(request: FastifyRequest, { operation, path, caller, body }: Forwarded): string {
  const { accept, 'if-none-match': etag } = request.headers;
  const sent = body === undefined ? (request.body as Buffer | undefined) : body;
  const { businessUnitId, permissions } = caller;
  const { operationId } = operation.config;
  return JSON.stringify([businessUnitId, permissions, operationId, path, accept, etag, `${sent}`]);
}
