/**
 * The SQLSTATE of a driver's error, however deeply an ORM has wrapped it; null if there is none.
 */
export function sqlState(error: unknown): string | null {
  for (const { code } of causeChain(error)) {
    // Every SQLSTATE contains a digit; EPIPE, which has the same length, does not.
    if (typeof code === 'string' && /^(?=.*[0-9])[0-9A-Z]{5}$/.test(code)) return code;
  }
  return null;
}

/** The error and its causes, outermost first, at most five. */
export function causeChain(error: unknown): { code?: unknown; message: string }[] {
  const chain: Error[] = [];
  for (let e = error; e instanceof Error && chain.length < 5; e = e.cause) chain.push(e);
  return chain;
}

/**
 * The part of an error's message that may be logged. Messages that quote input are omitted: those
 * of a parser, and those of the database about a value. Only the first line of a database error is
 * kept: the ORM adds the row below it.
 */
export function safeMessage(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const state = sqlState(error);
  if (error instanceof SyntaxError || state?.startsWith('22')) {
    return [error.constructor.name, state].filter(Boolean).join(' ');
  }
  const message = state === null ? error.message : (error.message.split('\n')[0] ?? '');
  return message.slice(0, 500);
}

const maxCauses = 4;

/**
 * The safe messages of an error and its causes: `Temporarily unavailable: fetch failed: connect
 * ECONNREFUSED`. For log lines and reports that carry a reason as text.
 */
export function safeMessageWithCauses(error: unknown): string {
  const messages: string[] = [];
  let current = error;
  do {
    const { code, cause } = (current ?? {}) as { code?: unknown; cause?: unknown };
    // An AggregateError of several connection attempts has a code and no message.
    messages.push(safeMessage(current) || String(code ?? 'Error'));
    current = cause;
  } while (current !== undefined && messages.length < maxCauses);
  return messages.join(': ').slice(0, 500);
}
