import { createPrivateKey, X509Certificate } from 'node:crypto';
import { milliseconds, processSettings, readConfig } from '@event-api/platform/core/config';
import { serviceSettings } from '@event-api/platform/core/topology-settings';
import { z } from 'zod';

/** What signs wallet passes. Certificates and the key are PEM. */
export interface WalletSigner {
  certificate: string;
  privateKey: string;
  passphrase: string | undefined;
  /** The certificate of the authority that has issued `certificate`. */
  authority: string;
  passTypeId: string;
  teamId: string;
}

const certificate = () =>
  z
    .string()
    .refine((pem) => isValid(() => new X509Certificate(pem)), 'must be a PEM certificate')
    .optional();

/** Each is required if one of the others is set. */
const walletSettings = {
  /** The certificate of a pass type of Apple, with which wallet passes are signed, and its key. */
  WALLET_CERTIFICATE: certificate(),
  WALLET_PRIVATE_KEY: z.string().optional(),
  /** The certificate of the authority that has issued it: Apple Worldwide Developer Relations. */
  WALLET_WWDR_CERTIFICATE: certificate(),
  WALLET_PASS_TYPE_ID: z.string().startsWith('pass.').optional(),
  WALLET_TEAM_ID: z.string().optional(),
};

/** Settings of the registration service. */
export const config = (env = process.env) =>
  readConfig(
    z
      .object({
        ...serviceSettings('registration'),
        ...walletSettings,
        /** Of the private key, if it is encrypted. */
        WALLET_PRIVATE_KEY_PASSPHRASE: z.string().optional(),
        /**
         * Seats are reserved for an order, and the order is held. A buyer needs this time to pay.
         */
        SEAT_RESERVATION_MS: milliseconds().default(15 * 60 * 1000),
        /**
         * Interval of the job that expires reservations and promotes waitlists. Requests do so for
         * their own event, so the job covers only events without requests.
         */
        EXPIRE_AND_PROMOTE_INTERVAL_MS: milliseconds().default(1000),
        /**
         * Interval of reads of the metrics of reservations. Each one reads the database, and alerts
         * allow for minutes.
         */
        METRICS_INTERVAL_MS: milliseconds().default(10_000),
      })
      .check((ctx) =>
        checkWallet(ctx.value, (issue) =>
          ctx.issues.push({ code: 'custom', input: ctx.value, ...issue }),
        ),
      ),
    env,
  );

export type RegistrationSettings = ReturnType<typeof config>;

type WalletInput = { [Name in keyof typeof walletSettings]?: string | undefined } & {
  WALLET_PRIVATE_KEY_PASSPHRASE?: string | undefined;
};

/** What signs wallet passes, or null without it. */
export function walletOf(settings: WalletInput): WalletSigner | null {
  const { WALLET_CERTIFICATE, WALLET_PRIVATE_KEY, WALLET_WWDR_CERTIFICATE } = settings;
  const { WALLET_PASS_TYPE_ID, WALLET_TEAM_ID, WALLET_PRIVATE_KEY_PASSPHRASE } = settings;
  if (!WALLET_CERTIFICATE || !WALLET_PRIVATE_KEY || !WALLET_WWDR_CERTIFICATE) return null;
  return {
    certificate: WALLET_CERTIFICATE,
    privateKey: WALLET_PRIVATE_KEY,
    passphrase: WALLET_PRIVATE_KEY_PASSPHRASE,
    authority: WALLET_WWDR_CERTIFICATE,
    passTypeId: WALLET_PASS_TYPE_ID ?? '',
    teamId: WALLET_TEAM_ID ?? '',
  };
}

/**
 * Wallet passes need all of their settings, with a key that belongs to the certificate. A process
 * with others does not start.
 */
function checkWallet(
  settings: WalletInput,
  report: (issue: { path: string[]; message: string }) => void,
): void {
  const names = Object.keys(walletSettings) as (keyof typeof walletSettings)[];
  const missing = names.filter((name) => settings[name] === undefined);
  if (missing.length === names.length) return;
  for (const name of missing) report({ path: [name], message: 'is required for wallet passes' });
  const wallet = missing.length === 0 ? walletOf(settings) : null;
  if (wallet && !isValid(() => keyOf(wallet))) {
    report({ path: ['WALLET_PRIVATE_KEY'], message: 'must be the key of WALLET_CERTIFICATE' });
  }
}

function keyOf({ certificate: pem, privateKey, passphrase }: WalletSigner): void {
  const key = createPrivateKey({ key: privateKey, ...(passphrase && { passphrase }) });
  if (!new X509Certificate(pem).checkPrivateKey(key))
    throw new Error('the key of another certificate');
}

function isValid(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** The role that owns the schema. Only migrations need it. */
export const migrationConfig = () =>
  readConfig(z.object({ MIGRATION_DATABASE_URL: processSettings.DATABASE_URL }));
