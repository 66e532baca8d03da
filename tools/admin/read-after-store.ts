import { createLogger } from '@event-api/platform/core/log';
import {
  createReadAfterStore,
  type ReadAfterStore,
} from '@event-api/platform/messaging/read-after/store';
import { connectRedis } from '@event-api/platform/redis/connect';

/** For the connection and for each call: a command is not as urgent as a request at the gateway. */
const TIMEOUT_MS = 1000;

/** The read-after tokens that the gateways share, opened for operators' commands. */
export interface OperatorTokenStore extends ReadAfterStore {
  close(): void;
}

/** Connects to the Redis of the platform. Without it commands work too, and are seen a moment later. */
export async function openReadAfterStore(redisUrl: string): Promise<OperatorTokenStore> {
  const redis = connectRedis(redisUrl, createLogger({ service: 'admin', level: 'silent' }));
  if (!redis.isReady) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, TIMEOUT_MS);
      redis.once('ready', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
  return { ...createReadAfterStore(redis, TIMEOUT_MS), close: () => redis.destroy() };
}
