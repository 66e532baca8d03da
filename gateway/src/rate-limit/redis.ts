import { readFileSync } from 'node:fs';
import type { Logger } from '@event-api/platform/log';
import { createClient, defineScript } from 'redis';

const countInWindow = defineScript({
  SCRIPT: readFileSync(new URL('./fixed-window.lua', import.meta.url), 'utf8'),
  NUMBER_OF_KEYS: 1,
  parseCommand(parser, key: string, windowMs: number) {
    parser.pushKey(key);
    parser.push(String(windowMs));
  },
  transformReply: (reply: unknown) => reply as [count: number, leftMs: number],
});

/**
 * A connection that gives up quickly and comes back by itself: commands fail at once while it is
 * down, and a server that stops answering is noticed within a second.
 */
export function connectRedis(url: string, log: Logger) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    pingInterval: 400,
    socket: {
      connectTimeout: 1000,
      socketTimeout: 1000,
      reconnectStrategy: (retries) =>
        Math.min(50 * 2 ** Math.min(retries, 5), 1000) * (0.5 + Math.random() / 2),
    },
    scripts: { countInWindow },
  });
  let wasDown = false;
  client.on('error', (error) => {
    if (!wasDown) log.warn({ err: error }, 'redis is away');
    wasDown = true;
  });
  client.on('ready', () => {
    if (wasDown) log.info('redis is back');
    wasDown = false;
  });
  // Fails only by giving up, and it never gives up; until it succeeds the fallback serves.
  void client.connect().catch(() => {});
  return client;
}

export type RedisConnection = ReturnType<typeof connectRedis>;
