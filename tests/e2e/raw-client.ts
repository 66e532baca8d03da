import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { ABORTED, statusWords } from '@event-api/contracts/errors';
import { badgeMediaTypes } from '@event-api/contracts/http/registrations';
import { currentVersion } from '@event-api/contracts/version';

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface RawRequest {
  method: string;
  /** Sent unchanged, without normalization or encoding. */
  path: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
}

export type RawClient = (wanted: RawRequest) => Promise<RawResponse>;

/**
 * Creates a client with one key, or none, that sends requests unchanged. A body is JSON unless
 * `headers` say otherwise. Errors: a response violates the rules of every response.
 */
export function rawClient(baseUrl: string, secret?: string): RawClient & { close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const sendRequest: RawClient = async (wanted) => {
    const response = await send(baseUrl, agent, {
      ...wanted,
      headers: {
        ...(secret && { authorization: `Bearer ${secret}` }),
        ...(wanted.body !== undefined && { 'content-type': 'application/json' }),
        ...wanted.headers,
      },
    });
    const faults = faultsOf(response, wanted.method);
    if (faults.length === 0) return response;
    const summary = `${wanted.method} ${wanted.path.slice(0, 200)} ${String(wanted.body ?? '').slice(0, 200)}`;
    throw new Error(`${summary}\n${faults.join('\n')}\n${response.status} ${response.body}`);
  };
  return Object.assign(sendRequest, { close: () => agent.destroy() });
}

/** Returns how a response violates the rules of every response. */
function faultsOf({ status, headers, body }: RawResponse, method: string): string[] {
  const faults: string[] = [];
  if (status >= 500) faults.push('a fault of the platform');
  if (!/^req_[0-9a-z]{26}$/.test(String(headers['request-id']))) faults.push('no Request-Id');
  if (headers['service-version'] !== currentVersion) faults.push('no Service-Version');
  if (!isExpectedType(headers['content-type'] ?? '', status)) faults.push('not JSON');
  if (status >= 400 && method !== 'HEAD' && !isEnvelope(status, body)) faults.push('no envelope');
  return faults;
}

/** A success may also be a file. */
const isExpectedType = (type: string, status: number): boolean =>
  type.startsWith('application/json') ||
  (status === 200 && (Object.values(badgeMediaTypes) as string[]).includes(type));

function isEnvelope(status: number, body: string): boolean {
  const { error, ...rest } = JSON.parse(body);
  const words = [
    statusWords[status as keyof typeof statusWords],
    ...(status === 409 ? [ABORTED] : []),
  ];
  return (
    Object.keys(rest).length === 0 &&
    error.code === status &&
    words.includes(error.status) &&
    typeof error.message === 'string' &&
    (error.details === undefined || Array.isArray(error.details))
  );
}

/** Sends a request unchanged, and returns the response whatever it is. */
export function send(baseUrl: string, agent: Agent, wanted: RawRequest): Promise<RawResponse> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const { method, path, body, headers = {} } = wanted;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(
      { agent, hostname, port, method, path, headers: { ...length, ...headers } },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts).toString(),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

// The policy names the budget. A path with a malformed escape matches no operation, so it uses the
// default budget.
const changing = [
  'request-id',
  'date',
  'ratelimit',
  'ratelimit-policy',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];

/**
 * Returns a response without the parts that can differ between two responses of an operation:
 * request id, time, and the budget and what remains of it.
 */
export function stableParts({ status, headers, body }: RawResponse) {
  const stable = Object.entries(headers).filter(([name]) => !changing.includes(name));
  return { status, headers: Object.fromEntries(stable), names: Object.keys(headers).sort(), body };
}
