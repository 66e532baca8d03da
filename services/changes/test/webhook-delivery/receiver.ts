import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect } from 'vitest';

/** A request that a receiver got. */
export interface Received {
  headers: IncomingMessage['headers'];
  body: string;
}

/**
 * What a receiver does with a request: a status, no response, the end of the connection, or what
 * the function writes.
 */
export type Reaction = number | 'hang' | 'reset' | ((response: ServerResponse) => void);

/** A receiver of webhooks: a real HTTP server on 127.0.0.1. */
export interface Receiver {
  url: string;
  received: Received[];
  /** The connections that were opened. */
  connections(): number;
  /** Decides on each request; by default 200. */
  react(reaction: (received: Received) => Reaction | Promise<Reaction>): void;
  close(): Promise<void>;
}

export async function startReceiver({ port = 0, host = '127.0.0.1' } = {}): Promise<Receiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let reactionTo: Parameters<Receiver['react']>[0] = () => 200;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const got = { headers: request.headers, body: Buffer.concat(parts).toString('utf8') };
    received.push(got);
    const reaction = await reactionTo(got);
    if (reaction === 'reset') request.socket.resetAndDestroy();
    else if (typeof reaction === 'function') reaction(response);
    else if (reaction !== 'hang') response.writeHead(reaction).end();
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('clientError', (_, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const address = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${address.port}/hook`,
    received,
    connections: () => connections,
    react(reaction) {
      reactionTo = reaction;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The sequences of received changes. */
export const sequencesOf = (received: readonly Received[]): number[] =>
  received.map(({ body }) => JSON.parse(body).sequence);

/**
 * Checks that the first receipts of the changes of each object are in order. A change may be
 * repeated.
 */
export function expectOrderPerObject(received: readonly Received[]): void {
  const seen = new Map<string, number>();
  const ids = new Set<string>();
  for (const { body } of received) {
    const { id, sequence, object } = JSON.parse(body);
    if (ids.has(id)) continue;
    ids.add(id);
    expect(sequence).toBeGreaterThan(seen.get(object.id) ?? 0);
    seen.set(object.id, sequence);
  }
}
