import { join } from 'node:path';
import { loopback, type Place } from '@event-api/local-servers/place';
import { freePort } from '@event-api/local-servers/ports';
import { isHealthy } from '@event-api/local-servers/probe';
import type { ChildSpec } from '@event-api/local-servers/supervise';
import { killWithParent } from '@event-api/local-servers/tether';
import { readOrCreatePassword } from '@event-api/provisioning/secret-files';
import { root } from '../settings/settings.ts';
import { stablePort } from './stable-port.ts';

/** Address of the payment sandbox, and the secret that it shares with commerce. */
export interface Sandbox {
  url: string;
  secret: string;
}

type OwnSandbox = Sandbox & { port: number; internalPort: number };

/**
 * The sandbox of `dataDir`, with a random secret. Its port stays the same, so that addresses of
 * payment pages stay valid.
 */
export async function configureSandbox(
  dataDir: string,
  { address } = loopback,
): Promise<OwnSandbox> {
  const secret = readOrCreatePassword(dataDir, 'payment-sandbox-secret');
  const port = await stablePort(dataDir, 'payment-sandbox-port');
  return { port, internalPort: await freePort(), secret, url: `http://${address}:${port}` };
}

/** How to start the sandbox. It sends payment notifications to `notifyUrl`. */
export function sandboxSpec(options: {
  sandbox: OwnSandbox;
  dataDir: string;
  place?: Place;
  notifyUrl: string;
  env: NodeJS.ProcessEnv;
  onLine: (line: string) => void;
}): ChildSpec {
  const { sandbox, dataDir, notifyUrl, env, onLine, place = loopback } = options;
  const host = place === loopback ? 'localhost' : place.address;
  return {
    name: 'payment-sandbox',
    command: [
      ...place.enter,
      ...killWithParent('SIGKILL'),
      process.execPath,
      join(root, 'payment-sandbox/src/main.ts'),
    ],
    env: {
      ...env,
      HOST: place.address,
      PORT: String(sandbox.port),
      INTERNAL_PORT: String(sandbox.internalPort),
      PUBLIC_URL: `http://${host}:${sandbox.port}`,
      SANDBOX_SECRETS: sandbox.secret,
      NOTIFICATION_URL: notifyUrl,
      DATA_FILE: join(dataDir, 'payment-sandbox.jsonl'),
      // A platform started by `npm start` is never production, in any mode.
      ALLOW_SANDBOX: '1',
    },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 5000,
    startTimeoutMs: 60_000,
    isReady: () => isHealthy(`http://${place.address}:${sandbox.internalPort}/readyz`),
    onLine,
  };
}
