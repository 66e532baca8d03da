import { type DestinationStream, type LoggerOptions, type Logger as PinoLogger, pino } from 'pino';
import { safeMessage } from './error-reason.ts';

export type Logger = PinoLogger;

// Fields with these names are removed: credentials and personal data.
const secretFields = [
  'authorization',
  'secret',
  'password',
  'email',
  'name',
  'checkinCode',
  'cookie',
  'x-caller',
  'CALLER_PRIVATE_KEY',
  'WEBHOOK_SECRETS_KEYS',
  'PAYMENT_SECRETS_KEYS',
  'LEDGER_SIGNING_KEY',
  'DATABASE_URL',
];

/**
 * Writes JSON lines to stdout or `destination`. Credentials and personal data are removed up to six
 * levels deep.
 */
export function createLogger(options: {
  service: string;
  level: string;
  destination?: DestinationStream;
}): Logger {
  const settings: LoggerOptions = {
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: serializeError, error: serializeError },
    redact: {
      paths: secretFields.flatMap(pathsOf),
      censor: '[redacted]',
    },
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}

const depth = 6;

/** `secret`, `*.secret`, `*.*.secret` and so on: a redaction path matches one depth only. */
const pathsOf = (field: string): string[] =>
  Array.from({ length: depth }, (_, level) => {
    const parents = Array.from({ length: level }, () => '*').join('.');
    if (field.includes('-')) return `${parents}["${field}"]`;
    return parents ? `${parents}.${field}` : field;
  });

// Only fields that locate the failure: a driver error also has the values of the row in `detail`.
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  return {
    type: error.constructor.name,
    code: typeof code === 'string' ? code : undefined,
    message: safeMessage(error),
    stack: framesOf(error).slice(0, 11).join('\n'),
    cause: error.cause instanceof Error ? serializeError(error.cause) : undefined,
  };
}

// A stack starts with the message, which can have several lines.
const framesOf = ({ stack = '' }: Error): string[] =>
  stack.split('\n').filter((line) => /^\s+at /.test(line));
