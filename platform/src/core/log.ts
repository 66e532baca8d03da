import { type DestinationStream, type LoggerOptions, type Logger as PinoLogger, pino } from 'pino';
import { safeMessage } from './error-reason.ts';

export type Logger = PinoLogger;

// Whatever is logged by accident under these names is cut out: credentials and personal data.
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
  'DATABASE_URL',
];

/** JSON lines on stdout or `destination`, with credentials and personal data cut out down to the sixth level. */
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

/** `secret`, `*.secret`, `*.*.secret` and so on: a redaction path is as deep as it is written. */
const pathsOf = (field: string): string[] =>
  Array.from({ length: depth }, (_, level) => {
    const parents = Array.from({ length: level }, () => '*').join('.');
    if (field.includes('-')) return `${parents}["${field}"]`;
    return parents ? `${parents}.${field}` : field;
  });

// Only what says where it broke: a driver's error also carries the row's values in `detail`.
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

// A stack begins with the message, of which there can be several lines.
const framesOf = ({ stack = '' }: Error): string[] =>
  stack.split('\n').filter((line) => /^\s+at /.test(line));
