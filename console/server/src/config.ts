import { fileURLToPath } from 'node:url';
import { cellSetting, processSettings, readConfig } from '@event-api/platform/core/config';
import { serverUrl } from '@event-api/platform/core/server-urls';
import { apiUrlSettings, internalUrlSettings } from '@event-api/platform/core/topology-settings';
import { z } from 'zod';

const isLoopback = (url: URL): boolean =>
  /^(([\w-]+\.)*localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);

/**
 * An address that browsers reach. HTTP is only for this machine: cookies and codes would travel in
 * clear text.
 */
const browserUrl = () =>
  z.url({ protocol: /^https?$/, error: 'must be a URL' }).refine((address) => {
    const url = URL.parse(address);
    return url?.protocol === 'https:' || (url !== null && isLoopback(url));
  }, 'must be an https:// URL, or http:// on this machine');

/** Settings of the console. */
export const config = (env: NodeJS.ProcessEnv = process.env) =>
  readConfig(
    z
      .object({
        ...processSettings,
        ...cellSetting,
        REDIS_URL: serverUrl(/^rediss?$/, 'must be a redis:// or rediss:// URL'),
        ...apiUrlSettings('console'),
        ...internalUrlSettings('console'),
        /** The origin of the console in a browser, without a path. */
        CONSOLE_URL: browserUrl().refine(
          (address) => URL.parse(address)?.origin === address,
          'must be an origin, without a path or a slash at the end',
        ),
        /** The address of the gateway in a browser. With it, the console links to the guides. */
        GATEWAY_PUBLIC_URL: browserUrl().optional(),
        /** The folder of the built single-page application. */
        WEB_DIR: z.string().default(fileURLToPath(new URL('../../web/dist', import.meta.url))),
        /** The identity provider. Without one, operators sign in with passkeys. */
        OIDC_ISSUER: browserUrl().optional(),
        OIDC_CLIENT_ID: z.string().optional(),
        OIDC_CLIENT_SECRET: z.string().optional(),
        /** What a person continues with: the name of the identity provider. */
        OIDC_LABEL: z.string().default('single sign-on'),
        /**
         * The address of the identity provider for this process, if it does not reach it by the
         * issuer's.
         */
        OIDC_INTERNAL_URL: z.url({ protocol: /^https?$/, error: 'must be a URL' }).optional(),
        /** Offers the demo operators of the identity sandbox. */
        DEMO_SIGN_INS: z.enum(['0', '1']).default('0'),
        /** Requests of a session per minute. */
        RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(1).default(600),
        /** Requests without a session per minute and address. */
        ANONYMOUS_RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(1).default(600),
        /** Addresses or networks of trusted proxies, separated by commas. */
        TRUST_PROXY: z
          .string()
          .default('')
          .transform((list) => list.split(',').filter(Boolean)),
      })
      .refine((settings) => !settings.OIDC_ISSUER || settings.OIDC_CLIENT_ID, {
        error: 'must be set with OIDC_ISSUER',
        path: ['OIDC_CLIENT_ID'],
      })
      .refine(({ NODE_ENV, DEMO_SIGN_INS }) => NODE_ENV !== 'production' || DEMO_SIGN_INS === '0', {
        error: 'must not be 1 in production',
        path: ['DEMO_SIGN_INS'],
      }),
    env,
  );

export type ConsoleSettings = ReturnType<typeof config>;

/** The role that owns the schema. Only migrations need it. */
export const migrationConfig = () =>
  readConfig(z.object({ MIGRATION_DATABASE_URL: processSettings.DATABASE_URL }));
