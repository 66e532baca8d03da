import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** How long a request that is still arriving when its connection is ended may go on arriving. */
const requestArrivalMs = 1000;
const pollIntervalMs = 20;

export interface Drain {
  readonly draining: boolean;
  /** From now on each answer is the last of its connection. Who has one is still answered, and nobody is cut off. */
  begin(): void;
  /** Resolves when all connections are gone, but after `withinMs` at the latest. */
  waitForIdle(timeoutMs: number): Promise<void>;
  /** Ends those that say nothing, so that `close()` has nothing to wait for. */
  end(): void;
}

/** Lets a server be closed without cutting off anyone who is being answered. */
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
      while (connections.count() > 0 && performance.now() < deadline) await delay(pollIntervalMs);
    },
    end() {
      app.server.closeIdleConnections();
      // To Node a connection that has never said a word is not idle, and a closing server no longer ends slow ones.
      connections.close((socket) => socket.bytesRead === 0);
      setTimeout(
        () => connections.close((_, request) => !request?.complete),
        requestArrivalMs,
      ).unref();
    },
  };
}

/** The open connections of a server, each with the latest request on it that is not answered yet. */
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
