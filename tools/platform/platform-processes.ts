import type { Schema } from '@event-api/provisioning/provision';
import type { Sandbox } from './payment-sandbox.ts';

/** What a process of the platform is told about the others. */
export interface ProcessEnvironment {
  redisUrl: string;
  natsUrl: string;
  sandbox: Sandbox;
  /** Where the API of another process listens. */
  apiUrlOf: (name: Schema) => string;
  /** Where another process answers operators and services. */
  internalUrlOf: (name: Schema) => string;
}

/** A process of the platform. It is `<folder>/src/main.ts`, its tables come from `<folder>/src/migrate.ts`, and its
 *  name is that of its schema, of its database role and of the issuer it signs as. */
export interface PlatformProcess {
  name: Schema;
  folder: string;
  /** Settings beyond those that every process has. */
  settings: (environment: ProcessEnvironment) => Record<string, string>;
}

/** All processes, in the order in which they start; the gateway opens the door last. */
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
