import { createContext, useContext } from 'react';
import { errorOf, unreachable } from './error.ts';

export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT';
  /** Below the origin of the console: `/api/…`. */
  path: string;
  query?: Query;
  body?: unknown;
  /** Sent with every write, so that a repeated submission takes effect once. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

export type Query = Record<string, string | number | boolean | null | undefined>;

export interface Client {
  /** Resolves with the body of a success. Errors: ApiError; AbortError of the signal. */
  request<T>(request: ApiRequest): Promise<T>;
  /** Resolves with a file. Errors: as for a request. */
  download(request: ApiRequest): Promise<Download>;
  /**
   * Sets whether reads follow a message of the live stream. The server shares them between all
   * pages that watch the event, so they may take up to a second longer. A write ends it: a person
   * waits for the next reads.
   */
  setLive(isLive: boolean): void;
}

export interface Download {
  file: Blob;
  /** The cursor of the next file, or null for the last one. */
  nextCursor: string | null;
}

/**
 * A client of the console's server. If the session has ended, `signInAgain` runs, and the request
 * is repeated with the same idempotency key once it resolves with true. Otherwise the 401 is the
 * result.
 */
export function createClient(signInAgain: () => Promise<boolean>): Client {
  let isLive = false;

  async function sendSignedIn(request: ApiRequest): Promise<Response> {
    const isWrite = request.idempotencyKey !== undefined;
    if (isWrite) isLive = false;
    const response = await send(request, isLive);
    if (isWrite) isLive = false;
    const isEnded = response.status === 401 && !isOfSession(request.path);
    return isEnded && (await signInAgain()) ? send(request, false) : response;
  }

  return {
    async request<T>(request: ApiRequest): Promise<T> {
      return read<T>(await sendSignedIn(request), request.path);
    },
    async download(request) {
      return readFile(await sendSignedIn(request), request.path);
    },
    setLive(value) {
      isLive = value;
    },
  };
}

/**
 * Requests that find out whether there is a session, begin or end it, have 401 as an ordinary
 * result.
 */
const isOfSession = (path: string): boolean =>
  /^\/api\/(session|sign-in|sign-out|passkeys\/(sign-in|registration$))/.test(path);

async function send(
  { method = 'GET', path, query, body, idempotencyKey, signal }: ApiRequest,
  isLive: boolean,
) {
  try {
    return await fetch(path + queryString(query), {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(isLive && { 'live-read': '1' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw unreachable(operationOf(path));
  }
}

async function read<T>(response: Response, path: string): Promise<T> {
  if (!response.ok) throw await errorOf(response, operationOf(path));
  try {
    return (response.status === 204 ? undefined : await response.json()) as T;
  } catch {
    throw unreachable(operationOf(path));
  }
}

async function readFile(response: Response, path: string): Promise<Download> {
  if (!response.ok) throw await errorOf(response, operationOf(path));
  try {
    return { file: await response.blob(), nextCursor: response.headers.get('next-cursor') };
  } catch {
    throw unreachable(operationOf(path));
  }
}

/** The part of the path that names the operation, without the unit. */
const operationOf = (path: string): string =>
  path.replace(/^\/api\/(units\/[^/]+|platform)\//, '').replace(/^operator\//, '');

export function queryString(query: Query = {}): string {
  const entries = Object.entries(query).flatMap(([key, value]) =>
    value === undefined || value === null || value === '' ? [] : [[key, String(value)]],
  );
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
}

export const newIdempotencyKey = (): string => crypto.randomUUID();

const ClientContext = createContext<Client | null>(null);
export const ClientProvider = ClientContext.Provider;

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (!client) throw new Error('ClientProvider is missing');
  return client;
}
