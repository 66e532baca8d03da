import { ConfigError } from '@event-api/platform/config';
import { z } from 'zod';
import type { PaymentProvider } from './provider.ts';
import { createSandboxProvider } from './sandbox.ts';
import { createStripeProvider } from './stripe.ts';

const secrets = z
  .string()
  .transform((list) => list.split(',').filter(Boolean))
  .refine((list) => list.length >= 1 && list.length <= 2, 'must be one secret, or two with a comma')
  .optional();

/** What says who takes the money. Which of them are needed, the provider says. */
export const paymentSettings = {
  PAYMENT_PROVIDER: z.enum(['stripe', 'sandbox']),
  STRIPE_SECRET_KEY: z.string().optional(),
  /** Two while one is replaced by the other. */
  STRIPE_WEBHOOK_SECRETS: secrets,
  /** Another host than Stripe's own. */
  STRIPE_API_URL: z.url({ protocol: /^https?$/, error: 'must be a URL' }).optional(),
  SANDBOX_URL: z.url({ protocol: /^https?$/, error: 'must be a URL' }).optional(),
  SANDBOX_SECRETS: secrets,
  /** Lets production use the sandbox, where no real money moves. */
  ALLOW_SANDBOX: z.enum(['0', '1']).default('0'),
};

const Settings = z.object(paymentSettings);

/** The one provider that is configured. Errors: ConfigError that names each setting that is missing, or not allowed. */
export function chooseProvider(
  settings: z.infer<typeof Settings> & { NODE_ENV: string },
): PaymentProvider {
  if (settings.PAYMENT_PROVIDER === 'stripe') {
    const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRETS } = settings;
    const needed = demand({ STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRETS }, 'stripe');
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
