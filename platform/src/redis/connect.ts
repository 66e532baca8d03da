import { readFileSync } from 'node:fs';
import { createClient, defineScript } from '@redis/client';
import { tlsOptions } from '../core/server-urls.ts';
import { redisTimeouts } from '../core/timeouts.ts';
import type { DependencyStatus } from '../telemetry/dependencies.ts';

const script = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

/** The state of each counter, and the fields and values of each requested token. */
export type CountReply = [remainingMs: number, counts: number[], tokens: string[][]];

const countAndLoadTokens = defineScript({
  SCRIPT: script('./count-and-load-tokens.lua'),
  parseCommand(parser, counters: ReadonlyMap<string, number>, tokens: string[], windowMs: number) {
    parser.pushKeysLength([...counters.keys(), ...tokens]);
    parser.push(String(windowMs), ...[...counters.values()].map(String));
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
 * A connection that fails fast and reconnects by itself. Commands fail immediately while it is
 * down. An unresponsive server is detected within five seconds.
 */
export function connectRedis(url: string, dependency: DependencyStatus) {
  const tls = tlsOptions(url);
  const client = createClient({
    url: plainAddress(url),
    disableOfflineQueue: true,
    pingInterval: redisTimeouts.pingIntervalMs,
    // The client's own time-out creates an abort signal per command and never cancels it: each
    // fires after five seconds and creates an unused error. The socket's time-out replaces it.
    commandOptions: { timeout: undefined },
    socket: {
      ...(tls && { tls: true as const, ...tls }),
      connectTimeout: redisTimeouts.connectMs,
      socketTimeout: redisTimeouts.socketMs,
      reconnectStrategy: (retries) => reconnectPauseMs(retries) * (0.5 + Math.random() / 2),
    },
    scripts: { countAndLoadTokens, saveToken },
  });
  client.on('error', dependency.down);
  client.on('ready', dependency.up);
  // It never gives up, so it never fails; callers use their fallback until it connects.
  void client.connect().catch(() => {});
  return client;
}

/** The address without parameters, which the client would reject or ignore. */
function plainAddress(url: string): string {
  const plain = new URL(url);
  plain.search = '';
  return plain.href;
}

function reconnectPauseMs(retries: number): number {
  const { reconnectMinBackoffMs, reconnectMaxBackoffMs } = redisTimeouts;
  return Math.min(reconnectMinBackoffMs * 2 ** Math.min(retries, 5), reconnectMaxBackoffMs);
}

export type RedisConnection = ReturnType<typeof connectRedis>;
