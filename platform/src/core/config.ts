import { cellPattern, cellRule } from '@event-api/contracts/cells';
import { z } from 'zod';
import { serverUrl } from './server-urls.ts';

/** A setting is missing or malformed. The message names the settings and never shows a value. */
export class ConfigError extends Error {}

/**
 * Reads settings from the environment, once, at startup. Empty variables count as missing, so that
 * defaults apply to them.
 * Errors: `ConfigError` with the name of every missing or invalid setting.
 */
export function readConfig<Schema extends z.ZodObject>(
  schema: Schema,
  env: Record<string, string | undefined> = process.env,
): z.infer<Schema> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const parsed = schema.safeParse(present, { reportInput: true });
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) =>
    issue.input === undefined || !(String(issue.path[0]) in present)
      ? `${issue.path.join('.')} is missing`
      : `${issue.path.join('.')}: ${issue.message}`,
  );
  throw new ConfigError(`Wrong settings:\n  ${lines.join('\n  ')}`);
}

const port = z.coerce.number('must be a port').int().min(0).max(65535);

/**
 * The name of the cell of a process (docs/cells.md). A deployment without it is the default cell.
 */
export const cellSetting = { CELL: z.string().regex(cellPattern, cellRule).optional() };

/** A whole number of milliseconds. */
export const milliseconds = () => z.coerce.number('must be a number of milliseconds').int().min(1);

const json = z.string().transform((value, ctx) => {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    ctx.issues.push({ code: 'custom', message: 'must be JSON', input: value });
    return z.NEVER;
  }
});

const publicJwk = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() });
const privateJwk = publicJwk.extend({ d: z.string() });

/** The settings of every process. */
export const processSettings = {
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
  HOST: z.string().default('127.0.0.1'),
  /** 0: the operating system chooses a free port. */
  PORT: port,
  INTERNAL_PORT: port,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /**
   * The share of the traces started in this process that are sampled, 0 to 1. The others are
   * exported if they fail or are slow.
   */
  TELEMETRY_SAMPLE_RATIO: z.coerce.number().min(0).max(1).default(0.05),
  /** The collector of spans, OTLP over HTTP. Without it no spans are recorded. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
    .optional(),
  DATABASE_URL: serverUrl(/^postgres(ql)?$/, 'must be a postgres:// URL'),
  DATABASE_POOL_MAX: z.coerce.number().int().min(1).max(1000).default(10),
  /**
   * Idle connections stay open after SIGTERM. Other services close their idle connections after one
   * second, so three seconds are enough.
   */
  DRAIN_IDLE_TIMEOUT_MS: z.coerce
    .number('must be a number of milliseconds')
    .int()
    .min(0)
    .max(5000)
    .default(3000),
  /** The Ed25519 key of this process, as a private JWK. */
  CALLER_PRIVATE_KEY: json.pipe(privateJwk),
  /** The public JWKs of every issuer of caller tokens; two per issuer during a rotation. */
  CALLER_PUBLIC_KEYS: json.pipe(z.record(z.string(), z.array(publicJwk).min(1).max(2))),
};

export type ProcessSettings = z.infer<z.ZodObject<typeof processSettings>>;
