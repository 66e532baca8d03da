import { limitedMs } from './error.ts';

/**
 * Repeats a request that the rate limit rejects, when the server accepts it again: an export sends
 * more requests in a minute than a person. `onWait` learns when a wait begins and ends. Errors:
 * every other one of `send`; that of the signal.
 */
export async function repeatLimited<T>(
  send: () => Promise<T>,
  signal: AbortSignal,
  onWait: (isWaiting: boolean) => void = () => {},
): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      const waitMs = limitedMs(error as Error);
      if (waitMs === null) throw error;
      onWait(true);
      await pause(waitMs, signal).finally(() => onWait(false));
    }
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal.addEventListener('abort', end, { once: true });
  });
