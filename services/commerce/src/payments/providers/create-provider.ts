import { ConfigError } from '@event-api/platform/core/config';
import type { PaymentProvider } from './provider.ts';
import { createSandboxProvider } from './sandbox.ts';

/** Settings of the payment provider. `PAYMENT_PROVIDER` determines which of them are required. */
export interface PaymentSettings {
  NODE_ENV: string;
  PAYMENT_PROVIDER: 'stripe' | 'sandbox';
  STRIPE_SECRET_KEY?: string | undefined;
  STRIPE_WEBHOOK_SECRETS?: string[] | undefined;
  STRIPE_API_URL?: string | undefined;
  SANDBOX_URL?: string | undefined;
  SANDBOX_SECRETS?: string[] | undefined;
  PAYMENT_LIVEMODE?: 'true' | 'false' | undefined;
  ALLOW_SANDBOX: '0' | '1';
}

/**
 * Creates the configured provider. Production accepts only real money, unless `ALLOW_SANDBOX=1`.
 * Errors: ConfigError with every setting that is missing or not allowed.
 */
export async function createPaymentProvider(settings: PaymentSettings): Promise<PaymentProvider> {
  if (settings.PAYMENT_PROVIDER === 'stripe') {
    const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRETS, PAYMENT_LIVEMODE } = settings;
    const wanted = { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRETS, PAYMENT_LIVEMODE };
    const needed = requireSettings(wanted, 'stripe');
    const livemode = needed.PAYMENT_LIVEMODE === 'true';
    if (settings.NODE_ENV === 'production' && !livemode && settings.ALLOW_SANDBOX !== '1') {
      throw notAllowed(
        'PAYMENT_LIVEMODE: must be true in production; ALLOW_SANDBOX=1 allows payments in test mode',
      );
    }
    if (livemode && /^[a-z]+_test_/.test(needed.STRIPE_SECRET_KEY)) {
      throw notAllowed('PAYMENT_LIVEMODE: is true, and STRIPE_SECRET_KEY is a key of test mode');
    }
    // A large library: load it only when it is used.
    const { createStripeProvider } = await import('./stripe.ts');
    return createStripeProvider({
      secretKey: needed.STRIPE_SECRET_KEY,
      webhookSecrets: needed.STRIPE_WEBHOOK_SECRETS,
      livemode,
      apiUrl: settings.STRIPE_API_URL,
    });
  }
  if (settings.NODE_ENV === 'production' && settings.ALLOW_SANDBOX !== '1') {
    throw notAllowed(
      'PAYMENT_PROVIDER: sandbox takes no real money; production needs ALLOW_SANDBOX=1 to use it',
    );
  }
  if (settings.PAYMENT_LIVEMODE === 'true') {
    throw notAllowed('PAYMENT_LIVEMODE: must be false; sandbox takes no real money');
  }
  const { SANDBOX_URL, SANDBOX_SECRETS } = settings;
  const needed = requireSettings({ SANDBOX_URL, SANDBOX_SECRETS }, 'sandbox');
  return createSandboxProvider({ url: needed.SANDBOX_URL, secrets: needed.SANDBOX_SECRETS });
}

const notAllowed = (line: string): ConfigError => new ConfigError(`Wrong settings:\n  ${line}`);

function requireSettings<Wanted extends Record<string, unknown>>(
  wanted: Wanted,
  provider: string,
): { [Name in keyof Wanted]: NonNullable<Wanted[Name]> } {
  const missing = Object.keys(wanted).filter((name) => wanted[name] === undefined);
  if (missing.length === 0) return wanted as never;
  const lines = missing.map(
    (name) => `${name} is missing, and PAYMENT_PROVIDER=${provider} needs it`,
  );
  throw new ConfigError(`Wrong settings:\n  ${lines.join('\n  ')}`);
}
