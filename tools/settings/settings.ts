import { resolve } from 'node:path';
import { secretPattern } from '@event-api/contracts/operator/keys';
import { cellSetting, processSettings, readConfig } from '@event-api/platform/core/config';
import { z } from 'zod';

/** The folder of the repository. */
export const root = resolve(import.meta.dirname, '../..');

const serverUrl = (...schemes: string[]) =>
  z
    .url({
      protocol: new RegExp(`^(${schemes.join('|')})$`),
      error: `must be a ${schemes[0]}:// address`,
    })
    .optional();

const dataDir = {
  DATA_DIR: z
    .string()
    .default('.data')
    .transform((folder) => resolve(root, folder)),
};

const port = () =>
  z.coerce
    .number('must be a port, 1 to 65535')
    .refine(
      (value) => Number.isInteger(value) && value > 0 && value < 65536,
      'must be a port, 1 to 65535',
    );

const startSettings = z.object({
  ...dataDir,
  PORT: port().default(8080),
  /** The port of the console. Without it the first start chooses one and keeps it in `DATA_DIR`. */
  CONSOLE_PORT: port().optional(),
  LOG_LEVEL: processSettings.LOG_LEVEL,
  DEMO_API_KEY: z
    .string()
    .regex(
      secretPattern,
      'must be sk_live_ and 32 letters or digits, in a cell with its name between',
    )
    .optional(),
  ...cellSetting,
  DATABASE_URL: serverUrl('postgres', 'postgresql'),
  /** One PostgreSQL for all processes, which is the default, or one for each. */
  DATABASES: z.enum(['one', 'each'], { error: 'must be one or each' }).optional(),
  NATS_URL: serverUrl('nats', 'tls'),
  REDIS_URL: serverUrl('redis', 'rediss'),
});

export type StartSettings = z.infer<typeof startSettings>;

/** Reads the settings of `npm start`. Errors: ConfigError, which names each invalid setting. */
export const readStartSettings = (): StartSettings => readConfig(startSettings);

/** Reads the folder of the platform that `npm run admin` uses. */
export const readDataDir = (): string => readConfig(z.object(dataDir)).DATA_DIR;
