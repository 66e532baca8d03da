import type { FastifyReply } from 'fastify';

/**
 * With this much unsent, a browser does not read: the next message ends its stream, and it connects
 * again.
 */
const maxUnsentBytes = 64 * 1024;

/** A stream of server-sent events to one browser. */
export interface EventStream {
  /** Sends a text of complete lines. A browser that is too slow loses its stream. */
  send(text: string): void;
  /** Ends the stream; the browser connects again after `retryMs`. */
  end(): void;
  /** Calls `listener` once when the stream has ended, at once if the browser has left before. */
  onEnd(listener: () => void): void;
}

/** Takes over the connection of a request. The headers of the reply are sent at once. */
export function openStream(reply: FastifyReply, retryMs: number): EventStream {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Proxies must not collect the stream.
    'x-accel-buffering': 'no',
  });
  raw.write(`retry: ${retryMs}\n\n`);
  return {
    send(text) {
      if (raw.destroyed || raw.writableEnded) return;
      if (raw.writableLength > maxUnsentBytes) raw.destroy();
      else raw.write(text);
    },
    end() {
      if (!raw.writableEnded) raw.end();
    },
    onEnd(listener) {
      if (raw.destroyed) listener();
      else raw.once('close', listener);
    },
  };
}
