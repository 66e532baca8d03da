import { requireJson } from './check-response.ts';
import { EventApiConnectionError, EventApiError } from './errors.ts';
import { createClient as createGeneratedClient } from './generated/client/client.gen.ts';
import type { Client } from './generated/client/types.gen.ts';
import { apiVersion } from './generated/version.gen.ts';
import { createRetryingFetch, type RetryOptions } from './retrying-fetch.ts';

export interface EventApiOptions extends RetryOptions {
  /** The gateway, for example `https://api.example.com`, with or without `/v1`. */
  baseUrl: string;
  /** A secret key of the business unit. It must not reach a browser. */
  apiKey: string;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

/**
 * Creates the client that every operation takes as `client`. It sends the version of the API that
 * the types describe.
 * Errors: TypeError for an address without http or https, and without a key. All operations throw
 * TypeError when a parameter of the path is missing or empty, EventApiError for a response other
 * than 2xx, and EventApiConnectionError without a response of the API: for none, and for a success
 * that is not what the operation promises.
 */
export function createClient({ baseUrl, apiKey, fetch, ...retries }: EventApiOptions): Client {
  if (!/^https?:\/\//.test(baseUrl)) {
    throw new TypeError(`baseUrl must begin with http:// or https://, and is '${baseUrl}'`);
  }
  if (apiKey === '') throw new TypeError('apiKey is empty');
  const client = createGeneratedClient({
    baseUrl: baseUrl.replace(/(\/v1)?\/*$/, ''),
    auth: apiKey,
    throwOnError: true,
    headers: { 'Service-Version': apiVersion },
    fetch: createRetryingFetch(fetch ?? globalThis.fetch, retries),
  });
  client.interceptors.request.use((request, { path = {} }) => {
    // It would address the list instead of the record.
    for (const [name, value] of Object.entries(path)) {
      if (value === '') throw new TypeError(`path.${name} is empty`);
    }
    const [, missing] = /(?:\{|%7B)(\w+)(?:\}|%7D)/i.exec(new URL(request.url).pathname) ?? [];
    if (missing) throw new TypeError(`path.${missing} is missing`);
    return request;
  });
  client.interceptors.response.use(async (response, _request, { responseValidator }) => {
    // Only operations whose success is JSON have one.
    if (response.ok && responseValidator) await requireJson(response);
    return response;
  });
  client.interceptors.error.use((error, response) =>
    response && !(error instanceof EventApiConnectionError)
      ? new EventApiError(response, error)
      : error,
  );
  return client;
}
