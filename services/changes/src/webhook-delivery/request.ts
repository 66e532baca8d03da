import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Clock } from '@event-api/platform/core/clock';
import { timeouts } from '../timeouts.ts';
import { isBlockedAddress, type WebhookAgents } from './agents.ts';
import { contentOf } from './content.rules.ts';
import { readRetryAfter } from './schedule.rules.ts';
import type { Response, UnreachableReason } from './webhook-delivery.rules.ts';

/** A body of a response is read up to this size. */
const maxBodyBytes = 16 * 1024;

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}

/**
 * Sends one request. It never rejects. Redirects are not followed. `aborted`: the signal has ended
 * it.
 */
export type SendRequest = (request: WebhookRequest) => Promise<Response | { outcome: 'aborted' }>;

/** The most time that a connection and a response may take. */
export interface TimeLimits {
  connectMs: number;
  responseMs: number;
}

const defaultLimits: TimeLimits = {
  connectMs: timeouts.webhookConnectMs,
  responseMs: timeouts.webhookResponseMs,
};

/** How far a connection is. */
type Phase = 'connecting' | 'securing' | 'open';

/**
 * Creates the function that sends requests over these agents. It resolves whatever the peer does,
 * at the latest when the times for the response and its body are over.
 */
export const createSendRequest =
  (agents: WebhookAgents, clock: Clock, limits = defaultLimits): SendRequest =>
  ({ url: text, headers, body, signal }) =>
    new Promise((resolve) => {
      const url = new URL(text);
      if (agents.isBlockedHost(url.hostname)) return resolve(unreachable('blocked_address'));
      const isSecure = url.protocol === 'https:';
      const bytes = Buffer.from(body, 'utf8');
      const request = (isSecure ? requestHttps : requestHttp)(url, {
        method: 'POST',
        agent: agents.of(url.protocol),
        headers: { ...headers, 'content-length': String(bytes.length) },
        signal,
      });
      const phaseOf = watchPhase(request, isSecure);
      const end = (response: Response | { outcome: 'aborted' }) => {
        stopTimers();
        request.destroy();
        resolve(response);
      };
      // Independent of every event: Node reports neither a response nor an error for some responses.
      const stopTimers = limitTime(limits, {
        isConnecting: () => phaseOf() !== 'open',
        onTimeout: () => end(unreachable('timeout')),
      });
      let isResponding = false;
      request.on('response', (message) => {
        isResponding = true;
        stopTimers();
        void readBody(message).then((received) => end(responseOf(message, received, clock.now())));
      });
      // Without a listener Node would destroy the socket of a 101 and report nothing.
      request.on('upgrade', (message, socket) => {
        socket.destroy();
        end(responseOf(message, Buffer.alloc(0), clock.now()));
      });
      request.on('error', (error) =>
        end(signal.aborted ? { outcome: 'aborted' } : unreachable(reasonOf(error, phaseOf()))),
      );
      request.on('close', () => {
        if (!isResponding) end(signal.aborted ? { outcome: 'aborted' } : unreachable('reset'));
      });
      request.end(bytes);
    });

const unreachable = (reason: UnreachableReason): Response => ({ outcome: 'unreachable', reason });

function watchPhase(request: ClientRequest, isSecure: boolean): () => Phase {
  let phase: Phase = 'connecting';
  request.once('socket', (socket) => {
    socket.once('connect', () => {
      phase = isSecure ? 'securing' : 'open';
    });
    socket.once('secureConnect', () => {
      phase = 'open';
    });
  });
  return () => phase;
}

/** Calls `onTimeout` if a request does not connect or respond in time. */
function limitTime(
  { connectMs, responseMs }: TimeLimits,
  { isConnecting, onTimeout }: { isConnecting: () => boolean; onTimeout: () => void },
): () => void {
  const connectTimer = setTimeout(() => isConnecting() && onTimeout(), connectMs);
  const responseTimer = setTimeout(onTimeout, responseMs);
  return () => {
    clearTimeout(connectTimer);
    clearTimeout(responseTimer);
  };
}

/**
 * Reads a body, up to its limits of size and time. The status of the response counts, whatever the
 * body is.
 */
const readBody = (message: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    const end = () => {
      clearTimeout(timer);
      message.destroy();
      resolve(Buffer.concat(parts));
    };
    const timer = setTimeout(end, timeouts.webhookBodyMs);
    message.on('data', (chunk: Buffer) => {
      parts.push(chunk);
      size += chunk.length;
      if (size > maxBodyBytes) end();
    });
    message.on('error', () => {});
    message.on('close', end);
  });

function responseOf(
  { statusCode: status = 0, headers }: IncomingMessage,
  received: Buffer,
  now: Date,
): Response {
  const content = contentOf(headers['content-type'], received);
  if (status >= 200 && status < 300) return { outcome: 'acknowledged', status, content };
  const retryAfterMs = readRetryAfter(headers['retry-after'], now);
  return { outcome: 'rejected', status, retryAfterMs, content };
}

function reasonOf(error: NodeJS.ErrnoException, phase: Phase): UnreachableReason {
  if (isBlockedAddress(error)) return 'blocked_address';
  if (error.code === 'ENOTFOUND') return 'dns';
  if (phase === 'connecting') return 'connect';
  if (phase === 'securing') return 'tls';
  return /^HPE_/.test(error.code ?? '') ? 'invalid_response' : 'reset';
}
