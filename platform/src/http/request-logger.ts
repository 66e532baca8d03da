import type { FastifyBaseLogger } from 'fastify';

/**
 * A child of `parent` that is created at its first message. Creating one redacts its bindings,
 * which costs more than the rest of a request, and most requests log nothing.
 */
export const lazyChildLogger = (
  parent: FastifyBaseLogger,
  bindings: Record<string, unknown>,
): FastifyBaseLogger => new LazyChildLogger(parent, bindings);

type Line = [fields: unknown, message?: string, ...values: unknown[]];

class LazyChildLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Record<string, unknown>;
  #made: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: Record<string, unknown>) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get #child(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(this.#bindings);
    return this.#made;
  }

  get level() {
    return this.#parent.level;
  }

  child(...args: Parameters<FastifyBaseLogger['child']>) {
    return this.#child.child(...args);
  }

  fatal(...line: Line) {
    this.#child.fatal(...line);
  }

  error(...line: Line) {
    this.#child.error(...line);
  }

  warn(...line: Line) {
    this.#child.warn(...line);
  }

  info(...line: Line) {
    this.#child.info(...line);
  }

  debug(...line: Line) {
    this.#child.debug(...line);
  }

  trace(...line: Line) {
    this.#child.trace(...line);
  }

  silent(...line: Line) {
    this.#child.silent(...line);
  }
}
