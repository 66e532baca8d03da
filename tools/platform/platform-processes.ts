import type { Schema } from '@event-api/provisioning/provision';
import type { Sandbox } from './payment-sandbox.ts';

/** Addresses that the settings of a process refer to. */
export interface ProcessEnvironment {
  redisUrl: string;
  natsUrl: string;
  sandbox: Sandbox;
  /** Address of another process's API listener. */
  apiUrlOf: (name: Schema) => string;
  /** Address of another process's internal listener, for operators and services. */
  internalUrlOf: (name: Schema) => string;
}

/**
 * A process of the platform. Its entry point is `<folder>/src/main.ts`, its migrations run with `<folder>/src/migrate.ts`.
 * Its name is also the name of its schema, its database role and its token issuer.
 */
export interface PlatformProcess {
  name: Schema;
  folder: string;
  /** Settings in addition to those of every process. */
  settings: (environment: ProcessEnvironment) => Record<string, string>;
}

/** All processes of the platform. */
export const platformProcesses: PlatformProcess[] = [
  {
    name: 'catalog',
    folder: 'services/catalog',
    settings: ({ natsUrl, internalUrlOf }) => ({
      NATS_URL: natsUrl,
      REGISTRATION_INTERNAL_URL: internalUrlOf('registration'),
    }),
  },
  {
    name: 'registration',
    folder: 'services/registration',
    settings: ({ natsUrl, internalUrlOf }) => ({
      NATS_URL: natsUrl,
      CATALOG_INTERNAL_URL: internalUrlOf('catalog'),
    }),
  },
  {
    name: 'commerce',
    folder: 'services/commerce',
    settings: ({ natsUrl, internalUrlOf, sandbox }) => ({
      NATS_URL: natsUrl,
      CATALOG_INTERNAL_URL: internalUrlOf('catalog'),
      REGISTRATION_INTERNAL_URL: internalUrlOf('registration'),
      PAYMENT_PROVIDER: 'sandbox',
      PAYMENT_LIVEMODE: 'false',
      SANDBOX_URL: sandbox.url,
      SANDBOX_SECRETS: sandbox.secret,
      ALLOW_SANDBOX: '1',
    }),
  },
  {
    name: 'onsite',
    folder: 'services/onsite',
    settings: ({ natsUrl, internalUrlOf }) => ({
      NATS_URL: natsUrl,
      CATALOG_INTERNAL_URL: internalUrlOf('catalog'),
      REGISTRATION_INTERNAL_URL: internalUrlOf('registration'),
    }),
  },
  {
    name: 'gateway',
    folder: 'gateway',
    settings: ({ redisUrl, apiUrlOf }) => ({
      REDIS_URL: redisUrl,
      CATALOG_URL: apiUrlOf('catalog'),
      REGISTRATION_URL: apiUrlOf('registration'),
      COMMERCE_URL: apiUrlOf('commerce'),
      ONSITE_URL: apiUrlOf('onsite'),
    }),
  },
];
