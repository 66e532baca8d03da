import { join } from 'node:path';
import { freePort } from '@event-api/local-servers/ports';
import { isHealthy } from '@event-api/local-servers/probe';
import type { ChildSpec } from '@event-api/local-servers/supervise';
import { killWithParent } from '@event-api/local-servers/tether';
import { readOrCreatePassword } from '@event-api/provisioning/secret-files';
import { root } from '../settings/settings.ts';
import { stablePort } from './stable-port.ts';

/** The console, and the identity sandbox at which its operators sign in. */
export interface ConsoleAddresses {
  /** The console in a browser. */
  consoleUrl: string;
  consolePort: number;
  /** The issuer. */
  issuer: string;
  /** The secret of the console at the sandbox. */
  clientSecret: string;
  sandboxPort: number;
  sandboxInternalPort: number;
}

/**
 * The addresses of `dataDir`. Its ports stay the same, so that bookmarks and passkeys stay valid.
 */
export async function configureConsole(
  dataDir: string,
  port: number | undefined,
): Promise<ConsoleAddresses> {
  const consolePort = port ?? (await stablePort(dataDir, 'console-port'));
  const sandboxPort = await stablePort(dataDir, 'identity-sandbox-port');
  return {
    consoleUrl: `http://localhost:${consolePort}`,
    consolePort,
    issuer: `http://localhost:${sandboxPort}`,
    clientSecret: readOrCreatePassword(dataDir, 'identity-sandbox-secret'),
    sandboxPort,
    sandboxInternalPort: await freePort(),
  };
}

/** How to start the identity sandbox. */
export function identitySandboxSpec(options: {
  addresses: ConsoleAddresses;
  env: NodeJS.ProcessEnv;
  onLine: (line: string) => void;
}): ChildSpec {
  const { addresses, env, onLine } = options;
  const { consoleUrl, issuer, clientSecret, sandboxPort, sandboxInternalPort } = addresses;
  return {
    name: 'identity-sandbox',
    command: [
      ...killWithParent('SIGKILL'),
      process.execPath,
      join(root, 'identity-sandbox/src/main.ts'),
    ],
    env: {
      ...env,
      // It does not start in production, which a platform on one machine never is.
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: String(sandboxPort),
      INTERNAL_PORT: String(sandboxInternalPort),
      ISSUER_URL: issuer,
      REDIRECT_URL: `${consoleUrl}/api/sign-in/callback`,
      CLIENT_SECRET: clientSecret,
    },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 5000,
    startTimeoutMs: 60_000,
    isReady: () => isHealthy(`http://127.0.0.1:${sandboxInternalPort}/readyz`),
    onLine,
  };
}
