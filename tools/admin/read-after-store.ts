import {
  createReadAfterStore,
  type ReadAfterStore,
} from '@event-api/platform/messaging/read-after/store';
import { connectRedis } from '@event-api/platform/redis/connect';
import { unobserved } from '@event-api/platform/telemetry/dependencies';
import { timeouts } from './timeouts.ts';

/** The read-after tokens that the gateways share, for operator commands. */
export interface OperatorTokenStore extends ReadAfterStore {
  close(): void;
}

/**
 * Connects to the platform's Redis. If Redis is unavailable, commands work, and their changes are
 * visible later.
 */
export async function openReadAfterStore(redisUrl: string): Promise<OperatorTokenStore> {
  const redis = connectRedis(redisUrl, unobserved);
  if (!redis.isReady) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeouts.redisMs);
      redis.once('ready', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
  return { ...createReadAfterStore(redis, timeouts.redisMs), close: () => redis.destroy() };
}
