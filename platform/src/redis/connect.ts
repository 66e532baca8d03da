import { readFileSync } from 'node:fs';
import { createClient, defineScript } from '@redis/client';
import type { Logger } from '../core/log.ts';

const script = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

/** A counter's state, and the fields and values of each token asked for. */
export type CountReply = [count: number, remainingMs: number, ...tokens: string[][]];

const countAndLoadTokens = defineScript({
  SCRIPT: script('./count-and-load-tokens.lua'),
  parseCommand(parser, keys: readonly string[], windowMs: number) {
    parser.pushKeysLength([...keys]);
    parser.push(String(windowMs));
  },
  transformReply: (reply: unknown) => reply as never,
});

const saveToken = defineScript({
  SCRIPT: script('./save-token.lua'),
  NUMBER_OF_KEYS: 1,
  parseCommand(parser, key: string, values: readonly string[]) {
    parser.pushKey(key);
    parser.push(...values);
  },
  transformReply: (reply: unknown) => reply as never,
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
    // The client's own limit is an abort signal per command that is never called off: each one goes off
    // after five seconds and makes an error that nobody reads. The socket's time-out does that work.
    commandOptions: { timeout: undefined },
    socket: {
      connectTimeout: 1000,
      socketTimeout: 1000,
      reconnectStrategy: (retries) =>
        Math.min(50 * 2 ** Math.min(retries, 5), 1000) * (0.5 + Math.random() / 2),
    },
    scripts: { countAndLoadTokens, saveToken },
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
