import { z } from 'zod';

/** A setting is missing or malformed. The message names the settings and never shows a value. */
export class ConfigError extends Error {}

/**
 * Reads settings from the environment, once, at start.
 *
 * Empty variables count as missing, so that defaults apply to them too.
 * Errors: `ConfigError` that lists every wrong setting by name.
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

/** The settings that every process has. */
export const processSettings = {
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
  HOST: z.string().default('127.0.0.1'),
  /** 0 lets the system choose. */
  PORT: port,
  INTERNAL_PORT: port,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Share of the traces that begin in this process and are recorded, 0 to 1. */
  TELEMETRY_SAMPLE_RATIO: z.coerce.number().min(0).max(1).default(0.05),
  /** The collector that spans go to, as OTLP over HTTP; without one there are none. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
    .optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' }),
  DATABASE_POOL_MAX: z.coerce.number().int().min(1).max(1000).default(10),
  /**
   * How long a process that is told to stop lets connections be that say nothing. The other processes let go of theirs
   * after a second without a request.
   */
  DRAIN_IDLE_MS: z.coerce
    .number('must be a number of milliseconds')
    .int()
    .min(0)
    .max(5000)
    .default(3000),
  /** Faults to inject, in tests only: `kill:point,pause:point,off:guard`, or `file:path` that holds them. */
  FAULTS: z.string().optional(),
  /** This process's own Ed25519 key, as a private JWK. */
  CALLER_PRIVATE_KEY: json.pipe(privateJwk),
  /** The public JWKs of every issuer whose callers may be believed; two each while one is rotated. */
  CALLER_PUBLIC_KEYS: json.pipe(z.record(z.string(), z.array(publicJwk).min(1).max(2))),
};

export type ProcessSettings = z.infer<z.ZodObject<typeof processSettings>>;
