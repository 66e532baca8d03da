import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyReply } from 'fastify';
import { expect, test } from 'vitest';
import { openStream } from './stream.ts';

const replyOf = (raw: ServerResponse) =>
  ({ raw, hijack() {}, getHeaders: () => ({}) }) as unknown as FastifyReply;

test.each(['before', 'after'])(
  'a stream ends for a browser that leaves %s it opens',
  async (when) => {
    const { promise: isEnded, resolve: end } = Promise.withResolvers<void>();
    const server = createServer(async (_request, response) => {
      if (when === 'before') await once(response, 'close');
      const stream = openStream(replyOf(response), 1000);
      stream.onEnd(end);
      stream.send('event: heartbeat\ndata: {}\n\n');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const request = get({ port: (server.address() as AddressInfo).port });
    request.on('error', () => {});
    if (when === 'before') await once(server, 'request');
    else await once(request, 'response');
    request.destroy();
    await isEnded;
    server.close();
    expect(request.destroyed).toBe(true);
  },
);
