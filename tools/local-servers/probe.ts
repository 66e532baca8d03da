import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Polls until `check` returns true; an error counts as false. `check` runs at least once. Returns
 * false after `timeoutMs` milliseconds or when `signal` is aborted.
 */
export async function waitUntil(
  check: () => Promise<boolean>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  do {
    if (await check().catch(() => false)) return true;
    await wait(30, undefined, { signal }).catch(() => undefined);
  } while (performance.now() < deadline && signal?.aborted !== true);
  return false;
}

/**
 * Sends `request` to `address`:`port`, by default on this machine. Returns whether the response
 * contains `expected` within one second.
 */
export function respondsWith(
  port: number,
  request: string,
  expected: string,
  address = '127.0.0.1',
): Promise<boolean> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, address, () => socket.write(request));
    const finish = (responded: boolean) => {
      socket.destroy();
      resolve(responded);
    };
    socket.setTimeout(1000, () => finish(false));
    socket.on('error', () => finish(false));
    socket.on('close', () => finish(false));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (received.includes(expected)) finish(true);
    });
  });
}

/** Whether `GET url` responds with 200 within two seconds. */
export async function isHealthy(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
  await response.body?.cancel();
  return response.status === 200;
}
