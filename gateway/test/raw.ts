import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';

/** A response as received; `head` contains every byte before the body. */
export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  head: string;
  body: string;
}

export interface RawConnection {
  socket: Socket;
  write(bytes: string | Buffer): void;
  /**
   * Resolves with the first `count` final responses, or with fewer if the other side closes before.
   */
  responses(count: number): Promise<RawResponse[]>;
  /** Resolves once the other side has closed or reset the connection. */
  closed: Promise<void>;
  received(): string;
}

const timeoutMs = 60_000;

/** A connection on which a test writes any bytes. */
export function connectRaw(baseUrl: string, options: { toHead?: boolean } = {}): RawConnection {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  let text = '';
  let isClosed = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const check of waiting) check();
  };
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
    wake();
  });
  // A reset ends the connection like a close; bytes received before it count.
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isClosed = true;
      wake();
      resolve();
    });
  });
  const responses = (count: number) =>
    new Promise<RawResponse[]>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no answer, only: ${text.slice(0, 200)}`)),
        timeoutMs,
      );
      const check = () => {
        const found = parseResponses(text, options.toHead ?? false);
        if (found.length < count && !isClosed) return;
        clearTimeout(timer);
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
    });
  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    responses,
    closed,
    received: () => text,
  };
}

/**
 * Writes `bytes` and returns the received responses once the connection is closed or there are
 * `count` of them.
 */
export async function exchange(
  baseUrl: string,
  bytes: string | Buffer,
  { count = 1, toHead = false }: { count?: number; toHead?: boolean } = {},
): Promise<RawResponse[]> {
  const connection = connectRaw(baseUrl, { toHead });
  connection.write(bytes);
  const responses = await connection.responses(count);
  connection.socket.destroy();
  return responses;
}

/** Returns a request as text, with each line unchanged. */
export const request = (line: string, headers: readonly string[] = [], body = ''): string =>
  `${line}\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n${body}`;

function parseResponses(text: string, toHead: boolean): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return responses;
    const head = rest.slice(0, end);
    const [statusLine = '', ...lines] = head.split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (Number.isNaN(status)) throw new Error(`not an answer: ${rest.slice(0, 200)}`);
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const bytes = toHead || status < 200 ? 0 : Number(headers['content-length'] ?? 0);
    const body = rest.slice(end + 4, end + 4 + bytes);
    if (body.length < bytes) return responses;
    rest = rest.slice(end + 4 + bytes);
    // 100 Continue is not a final response.
    if (status >= 200) responses.push({ status, headers, head, body });
  }
}

/** Asserts the error envelope and the headers of every response, and returns the envelope. */
export function expectEnvelope(
  response: { status: number; headers: Record<string, string>; body: unknown } | undefined,
  status: number,
  word?: string,
) {
  expect(response?.status, JSON.stringify(response)).toBe(status);
  const body = typeof response?.body === 'string' ? JSON.parse(response.body) : response?.body;
  expect(Object.keys(body)).toEqual(['error']);
  expect(body.error).toMatchObject({ code: status, status: word ?? expect.any(String) });
  expect(body.error.message).toEqual(expect.any(String));
  expect(response?.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(response?.headers['request-id']).toMatch(/^req_[0-9a-z]{26}$/);
  expect(response?.headers['service-version']).toBe('2026-08-22');
  return body.error;
}
