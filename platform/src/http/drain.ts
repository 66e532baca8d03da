import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { shutdownTimeouts } from '../core/timeouts.ts';

export interface Drain {
  readonly draining: boolean;
  /**
   * Starts the drain: each response is the last one of its connection. Requests in progress are
   * completed.
   */
  begin(): void;
  /** Resolves when all connections are closed, at the latest after `timeoutMs`. */
  waitForIdle(timeoutMs: number): Promise<void>;
  /** Closes idle connections, so that `close()` does not wait for them. */
  end(): void;
}

/** Closes a server without interrupting requests in progress. */
export function createDrain(app: FastifyInstance): Drain {
  let draining = false;
  const connections = trackConnections(app);
  app.addHook('onSend', async (_request, reply) => {
    if (draining) reply.header('connection', 'close');
  });
  return {
    get draining() {
      return draining;
    },
    begin() {
      draining = true;
    },
    async waitForIdle(timeoutMs) {
      const deadline = performance.now() + timeoutMs;
      while (connections.count() > 0 && performance.now() < deadline)
        await delay(shutdownTimeouts.pollIntervalMs);
    },
    end() {
      app.server.closeIdleConnections();
      // Node does not count a connection without any request as idle, and a closing server no
      // longer times out slow requests.
      connections.close((socket) => socket.bytesRead === 0);
      setTimeout(
        () => connections.close((_, request) => !request?.complete),
        shutdownTimeouts.requestArrivalMs,
      ).unref();
    },
  };
}

/** The open connections of a server, each with its latest request that has no response yet. */
function trackConnections(app: FastifyInstance) {
  const open = new Map<Socket, IncomingMessage | null>();
  app.server.on('connection', (socket: Socket) => {
    open.set(socket, null);
    socket.once('close', () => open.delete(socket));
  });
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (open.has(socket)) open.set(socket, request);
    response.once('close', () => {
      if (open.get(socket) === request) open.set(socket, null);
    });
  });
  return {
    count: () => open.size,
    close(isToClose: (socket: Socket, request: IncomingMessage | null) => boolean) {
      for (const [socket, request] of open) if (isToClose(socket, request)) socket.destroy();
    },
  };
}
