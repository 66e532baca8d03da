import { createLogger } from '@event-api/platform/log';
import { createReadAfterStore, type ReadAfterStore } from '@event-api/platform/read-after/store';
import { connectRedis } from '@event-api/platform/redis/connect';

const CONNECT_TIMEOUT_MS = 1000;

/** The read-after tokens that the gateways share, opened for operators' commands. */
export interface OperatorTokenStore extends ReadAfterStore {
  close(): void;
}

/** Connects to the Redis of the platform. Without it commands work too, and are seen a moment later. */
export async function openReadAfterStore(redisUrl: string): Promise<OperatorTokenStore> {
  const redis = connectRedis(redisUrl, createLogger({ service: 'admin', level: 'silent' }));
  if (!redis.isReady) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, CONNECT_TIMEOUT_MS);
      redis.once('ready', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
  return { ...createReadAfterStore(redis), close: () => redis.destroy() };
}
