import { FeedDigestError } from '../changes.ts';
import { EventApiConnectionError, EventApiError } from '../errors.ts';
import { type Command, CommandError, UsageError } from './command.ts';

const hints: Readonly<Record<number, string>> = {
  401: 'event-api login stores another key, EVENT_API_KEY replaces it',
  403: 'the key is restricted; event-api <command> --help says what a command needs',
};

/** The command that failed. */
type Failed = Pick<Command, 'sourceOf'>;

/**
 * Why a command failed, for people and as JSON, with the exit code. Other errors are defects of the
 * program.
 */
export function describeError(
  error: unknown,
  command: Failed = {},
): { lines: string[]; json: object; code: 1 | 2 } {
  if (error instanceof EventApiError) return { ...describeApiError(error, command), code: 1 };
  if (error instanceof EventApiConnectionError) {
    const cause = innermostMessage(error);
    const message = `${error.message}: ${cause}`;
    const lines = [message, '  hint        the address is that of login or EVENT_API_URL'];
    return { lines, json: { message }, code: 1 };
  }
  if (error instanceof UsageError) {
    return { lines: [error.message], json: { message: error.message }, code: 2 };
  }
  if (error instanceof CommandError || error instanceof FeedDigestError) {
    return { lines: [error.message], json: { message: error.message }, code: 1 };
  }
  throw error;
}

function describeApiError(
  error: EventApiError,
  command: Failed,
): { lines: string[]; json: object } {
  const { message, httpStatus, status, reason, field, requestId } = error;
  const details = error.details.map((detail) => ({
    ...detail,
    source: detail.field && command.sourceOf?.(detail.field),
  }));
  const hint = hints[httpStatus];
  const rows: [string, string | null | undefined][] = [
    ['status', [httpStatus, status].filter((part) => part !== null).join(' ')],
    ['reason', reason],
    ...details.map((detail): [string, string | undefined] => [
      'field',
      detail.field &&
        [nameOf(detail.field, detail.source), detail.issue].filter(Boolean).join(': '),
    ]),
    ['request id', requestId],
    ['hint', hint],
  ];
  return {
    lines: [
      message,
      ...rows.filter(([, value]) => value).map(([name, value]) => `  ${name.padEnd(10)}  ${value}`),
    ],
    json: { message, httpStatus, status, reason, field, details, requestId },
  };
}

/** A field of the API, and where it is in the command line. */
const nameOf = (field: string, source: string | undefined): string =>
  source ? `${field} (${source})` : field;

function innermostMessage(error: Error): string {
  let inner = error;
  while (inner.cause instanceof Error) inner = inner.cause;
  // A refused connection to several addresses has no message of its own.
  return inner.message || String((inner as { code?: string }).code ?? inner.name);
}
