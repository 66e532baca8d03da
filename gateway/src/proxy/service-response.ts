import type { IncomingHttpHeaders } from 'node:http';
import type { Agent, Dispatcher } from 'undici';
import type { BodyReader, BodySource } from './body.ts';

/** The response to a request. Its body arrives after its headers. */
export interface ServiceResponse {
  statusCode: number;
  headers: IncomingHttpHeaders;
  body: BodySource;
}

type Callback = (error: Error | null, response?: ServiceResponse) => void;

/**
 * Sends requests for the proxy. Calls back once, with an error or when the headers have arrived.
 */
export interface Requester {
  request(options: Dispatcher.DispatchOptions, callback: Callback): void;
}

/**
 * Sends requests through `agent` without a stream per response: the gateway reads each body
 * completely, and the stream would cost as much as all checks of a request.
 */
export const createRequester = (agent: Agent): Requester => ({
  request(options, callback) {
    try {
      agent.dispatch(options, new ResponseHandler(callback));
    } catch (error) {
      queueMicrotask(() => callback(error as Error));
    }
  },
});

/**
 * Receives one response from undici, which calls a method for each of its parts. The body waits for
 * its reader.
 */
class ResponseHandler implements Dispatcher.DispatchHandler, BodySource {
  #callback: Callback | null;
  #controller: Dispatcher.DispatchController | null = null;
  #reader: BodyReader | null = null;
  #isFlowing = false;
  #failure: Error | null = null;

  constructor(callback: Callback) {
    this.#callback = callback;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (statusCode < 200) return;
    this.#takeCallback()?.(null, { statusCode, headers, body: this });
    if (!this.#isFlowing) controller.pause();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#reader?.onData(chunk);
  }

  onResponseEnd(): void {
    this.#reader?.onEnd(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const callback = this.#takeCallback();
    if (callback) queueMicrotask(() => callback(error));
    this.#failure = error;
    this.#reader?.onEnd(error);
  }

  attach(reader: BodyReader): void {
    this.#reader = reader;
    if (this.#failure) reader.onEnd(this.#failure);
  }

  resume(): void {
    this.#isFlowing = true;
    this.#controller?.resume();
  }

  destroy(error = new Error('the response is not needed')): void {
    this.#controller?.abort(error);
  }

  #takeCallback(): Callback | null {
    const callback = this.#callback;
    this.#callback = null;
    return callback;
  }
}
