import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** A response that has arrived as a whole. */
export interface ReceivedResponse {
  statusCode: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface ReceiveLimits {
  /** From the call to the end of the response. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/**
 * Sends a request and receives the whole response. Errors: a `TimeoutError` after `timeoutMs`, the
 * reason of `signal`, and those of undici.
 *
 * `request` of undici needs an `AbortSignal` for each request, whose timer goes on after the
 * response, and a stream. Both live so long that all that they refer to becomes old garbage.
 */
export function receiveResponse(
  dispatcher: Pick<Dispatcher, 'dispatch'>,
  request: Dispatcher.DispatchOptions,
  limits: ReceiveLimits,
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    limits.signal?.throwIfAborted();
    const receiver = new Receiver(resolve, reject, limits);
    try {
      dispatcher.dispatch(request, receiver);
    } catch (error) {
      receiver.fail(error);
    }
  });
}

/** undici calls a method for each part of a response. */
class Receiver implements Dispatcher.DispatchHandler {
  #settled = false;
  #controller: Dispatcher.DispatchController | null = null;
  #statusCode = 0;
  #headers: IncomingHttpHeaders = {};
  readonly #chunks: Buffer[] = [];
  readonly #resolve: (response: ReceivedResponse) => void;
  readonly #reject: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #signal: AbortSignal | undefined;

  constructor(
    resolve: (response: ReceivedResponse) => void,
    reject: (error: unknown) => void,
    { timeoutMs, signal }: ReceiveLimits,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(failLate, timeoutMs, this);
    this.#signal = signal;
    signal?.addEventListener('abort', this);
  }

  /** Called by the signal. */
  handleEvent(): void {
    this.fail(this.#signal?.reason);
  }

  fail(error: unknown): void {
    if (!this.#settle()) return;
    this.#reject(error);
    this.#controller?.abort(asError(error));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It failed while it waited for a connection.
    if (this.#settled) controller.abort(new Error('the request has failed before it was sent'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
  ): void {
    this.#statusCode = statusCode;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (!this.#settle()) return;
    const body = Buffer.concat(this.#chunks);
    this.#resolve({ statusCode: this.#statusCode, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settle()) this.#reject(error);
  }

  /** Returns false if it was settled before. */
  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this);
    return true;
  }
}

const failLate = (receiver: Receiver): void =>
  receiver.fail(new DOMException('The response did not arrive in time', 'TimeoutError'));

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error('aborted'));
