import type { WebhookDelivery, WebhookDeliveryDetail, WebhookEndpoint } from '../../api/records.ts';
import { webhooksText as text } from '../../text/webhooks.ts';

/**
 * The status of an endpoint as people read it: an enabled one whose last attempt failed is failing.
 */
export const healthOf = ({
  status,
  failingSince,
}: Pick<WebhookEndpoint, 'status' | 'failingSince'>): string =>
  status === 'enabled' && failingSince !== null ? 'failing' : status;

/**
 * Whether a change can be sent again. A ping has a button of its own, and a disabled endpoint gets
 * nothing.
 */
export const canSendAgain = (
  { sequence }: Pick<WebhookDelivery, 'sequence'>,
  { status }: Pick<WebhookEndpoint, 'status'>,
): boolean => sequence !== null && status !== 'disabled';

/** The host of an endpoint, by which people name it. */
export const hostOf = (url: string): string => new URL(url).host;

/**
 * The input of a replay up to the newest change. A first change that does not exist yet is then
 * what the server rejects.
 */
export const replayUpTo = (
  from: number | null,
  newest: number,
): { from: number | null; to: number } => ({ from, to: Math.max(from ?? 0, newest) });

/** What the endpoint has responded, and why that is a failure. */
export const responseOf = ({
  responseStatus,
  reason,
}: Pick<WebhookDelivery, 'responseStatus' | 'reason'>): string =>
  [
    responseStatus === null ? text.noResponse : String(responseStatus),
    ...(reason === null ? [] : [text.failures[reason] ?? reason]),
  ].join(' · ');

/**
 * The body of a request as people read it. The platform has made it, so it is JSON; any other text
 * stays as it is.
 */
export function readableJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** What can be shown of the body of a response. */
export type BodyState = 'shown' | 'empty' | 'no_response';

export function responseBodyState({
  responseBody,
}: Pick<WebhookDeliveryDetail, 'responseBody'>): BodyState {
  if (responseBody === null) return 'no_response';
  return responseBody === '' ? 'empty' : 'shown';
}

export const byteLength = (body: string): number => new TextEncoder().encode(body).length;

/**
 * Whether only the beginning of a body may be kept: it is cut after the last whole character within
 * 1,024 bytes.
 */
export const mayBeCut = (body: string): boolean => byteLength(body) > 1020;
