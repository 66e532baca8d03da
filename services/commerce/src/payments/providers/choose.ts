import { ConfigError } from '@event-api/platform/config';
import type { PaymentProvider } from './provider.ts';
import { createSandboxProvider } from './sandbox.ts';

/** What says who takes the money. Which of them are needed, the provider says. */
export interface PaymentSettings {
  NODE_ENV: string;
  PAYMENT_PROVIDER: 'stripe' | 'sandbox';
  STRIPE_SECRET_KEY?: string | undefined;
  STRIPE_WEBHOOK_SECRETS?: string[] | undefined;
  STRIPE_API_URL?: string | undefined;
  SANDBOX_URL?: string | undefined;
  SANDBOX_SECRETS?: string[] | undefined;
  ALLOW_SANDBOX: '0' | '1';
}

/** The one provider that is configured. Errors: ConfigError that names each setting that is missing, or not allowed. */
export async function chooseProvider(settings: PaymentSettings): Promise<PaymentProvider> {
  if (settings.PAYMENT_PROVIDER === 'stripe') {
    const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRETS } = settings;
    const needed = demand({ STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRETS }, 'stripe');
    // A large library, which nobody else has to load.
    const { createStripeProvider } = await import('./stripe.ts');
    return createStripeProvider({
      secretKey: needed.STRIPE_SECRET_KEY,
      webhookSecrets: needed.STRIPE_WEBHOOK_SECRETS,
      apiUrl: settings.STRIPE_API_URL,
    });
  }
  if (settings.NODE_ENV === 'production' && settings.ALLOW_SANDBOX !== '1') {
    throw new ConfigError(
      'Wrong settings:\n  PAYMENT_PROVIDER: sandbox takes no real money; production needs ALLOW_SANDBOX=1 to use it',
    );
  }
  const { SANDBOX_URL, SANDBOX_SECRETS } = settings;
  const needed = demand({ SANDBOX_URL, SANDBOX_SECRETS }, 'sandbox');
  return createSandboxProvider({ url: needed.SANDBOX_URL, secrets: needed.SANDBOX_SECRETS });
}

function demand<Wanted extends Record<string, unknown>>(
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
