import { join } from 'node:path';
import { sandboxClientId } from '@event-api/contracts/identity-sandbox';
import {
  apiUrlSetting,
  internalUrlSetting,
  type Process,
  type ProcessName,
} from '@event-api/contracts/topology';
import { builtFolder } from '../console/build.ts';
import { root } from '../settings/settings.ts';
import type { ConsoleAddresses } from './identity-sandbox.ts';
import type { Sandbox } from './payment-sandbox.ts';

/** Settings of this script and of single processes. A process does not inherit them. */
const NOT_INHERITED = [
  'PORT',
  'INTERNAL_PORT',
  'DATABASE_URL',
  'DATABASES',
  'MIGRATION_DATABASE_URL',
  'NATS_URL',
  'REDIS_URL',
  'DEMO_API_KEY',
  'CALLER_PRIVATE_KEY',
  'CALLER_PUBLIC_KEYS',
];

/** What every process inherits of the environment of the command that starts it. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !NOT_INHERITED.includes(name));
  return {
    NODE_ENV: 'development',
    NODE_COMPILE_CACHE: join(root, '.toolchain/compile-cache'),
    ...Object.fromEntries(entries),
  };
}

/** Addresses that the settings of a process refer to. */
export interface ProcessEnvironment {
  redisUrl: string;
  natsUrl: string;
  sandbox: Sandbox;
  console: ConsoleAddresses;
  /** The folder of the built browser code of the console. */
  webDir: string;
  /** The folder of the built scanner. */
  scannerDir: string;
  /** The key that encrypts the secrets of webhook endpoints. */
  webhookSecretsKey: string;
  /** The key that encrypts the secrets of payment accounts. */
  paymentSecretsKey: string;
  /** The key that signs the digests of the journal. */
  ledgerSigningKey: string;
  /** Whether processes run with the settings of production. */
  isProduction: boolean;
  /** Address of another process's API listener. */
  apiUrlOf: (name: ProcessName) => string;
  /** Address of another process's internal listener, for operators and services. */
  internalUrlOf: (name: ProcessName) => string;
}

/** Settings that do not follow from the topology. */
const additionalSettings: Partial<
  Record<ProcessName, (environment: ProcessEnvironment) => Record<string, string>>
> = {
  commerce: ({ sandbox, paymentSecretsKey, ledgerSigningKey }) => ({
    PAYMENT_SECRETS_KEYS: paymentSecretsKey,
    LEDGER_SIGNING_KEY: ledgerSigningKey,
    PAYMENT_PROVIDER: 'sandbox',
    PAYMENT_LIVEMODE: 'false',
    SANDBOX_URL: sandbox.url,
    SANDBOX_SECRETS: sandbox.secret,
    ALLOW_SANDBOX: '1',
  }),
  console: ({ console: { consoleUrl, issuer, clientSecret }, webDir, isProduction, apiUrlOf }) => ({
    CONSOLE_URL: consoleUrl,
    GATEWAY_PUBLIC_URL: apiUrlOf('gateway').replace('127.0.0.1', 'localhost'),
    WEB_DIR: webDir,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: sandboxClientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_LABEL: 'a demo operator',
    DEMO_SIGN_INS: isProduction ? '0' : '1',
  }),
  gateway: ({ scannerDir }) => ({
    CLIENT_PACKAGE: join(builtFolder('client'), 'client.tgz'),
    ...(scannerDir && { SCANNER_DIR: scannerDir }),
  }),
  changes: ({ webhookSecretsKey, isProduction }) => ({
    WEBHOOK_SECRETS_KEYS: webhookSecretsKey,
    WEBHOOKS_ALLOW_LOOPBACK: isProduction ? '0' : '1',
  }),
};

/**
 * The settings of a process in addition to those of every process: its servers, its peers and its
 * own.
 */
export function settingsOf(
  { name, servers, callsApi, callsInternal }: Process,
  environment: ProcessEnvironment,
): Record<string, string> {
  const { natsUrl, redisUrl, apiUrlOf, internalUrlOf } = environment;
  return {
    ...(servers.includes('nats') && { NATS_URL: natsUrl }),
    ...(servers.includes('redis') && { REDIS_URL: redisUrl }),
    ...Object.fromEntries(callsApi.map((peer) => [apiUrlSetting(peer), apiUrlOf(peer)])),
    ...Object.fromEntries(
      callsInternal.map((peer) => [internalUrlSetting(peer), internalUrlOf(peer)]),
    ),
    ...additionalSettings[name]?.(environment),
  };
}
