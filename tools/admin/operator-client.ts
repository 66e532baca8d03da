import type { Operation } from '@event-api/contracts/operation';
import { generatedKeyHeader } from '@event-api/contracts/operator/headers';
import { createCallerSigner } from '@event-api/platform/http/caller-tokens';
import type { ReadAfterStore, TokenScope } from '@event-api/platform/messaging/read-after/store';
import {
  formatReadAfter,
  parseReadAfter,
  readAfterHeader,
} from '@event-api/platform/messaging/read-after/token';
import type { Ed25519Jwk } from '@event-api/provisioning/keys';
import { z } from 'zod';
import { timeouts } from './timeouts.ts';

/** The platform rejected an operator operation. `envelope` is the unchanged error envelope. */
export class OperatorError extends Error {
  readonly status: number;
  readonly envelope: unknown;

  constructor(command: string, status: number, envelope: unknown) {
    super(`${command} responded with ${status}: ${JSON.stringify(envelope)}`);
    this.status = status;
    this.envelope = envelope;
  }
}

/** The owner of the operation cannot be reached, or did not respond in time. */
export class PlatformUnreachableError extends Error {
  /** Whether the request was sent, so that it may have taken effect. */
  readonly isTimeout: boolean;

  constructor(cause: unknown) {
    super('the platform does not respond', { cause });
    this.isTimeout = cause instanceof Error && cause.name === 'TimeoutError';
  }
}

type Input<O extends Operation> = O['schema']['body'] extends z.ZodType
  ? z.input<O['schema']['body']>
  : Record<string, never>;

/** `call` sends no `Idempotency-Key`, so its response is no replay and has its secrets. */
type Output<O extends Operation> = O['config'] extends {
  secretInResponse: readonly (infer Secret extends string)[];
}
  ? Body<O> & Record<Secret, string>
  : Body<O>;

type Body<O extends Operation> = {
  [Status in keyof O['schema']['response']]: O['schema']['response'][Status] extends z.ZodType
    ? z.output<O['schema']['response'][Status]>
    : never;
}[keyof O['schema']['response']];

export interface CallOptions {
  /** Sent as `Idempotency-Key`. */
  key?: string | undefined;
  /** The key was generated for this call, not chosen by the operator. */
  isKeyGenerated?: boolean;
}

export interface OperatorClient {
  /**
   * Calls one operator operation at its owner and returns the unchanged response body.
   * Errors: OperatorError; PlatformUnreachableError.
   */
  call<O extends Operation>(operation: O, input: Input<O>): Promise<Output<O>>;
  /** Like `call`, for an input of unknown type. */
  callUnchecked(operation: Operation, input: unknown, options?: CallOptions): Promise<unknown>;
}

const Scoped = z.object({
  businessUnitId: z.string(),
  eventId: z.string().nullable().default(null),
});

/** The scope of the read-after token of a command: null if the command has no business unit. */
const scopeOf = (input: unknown): TokenScope | null => Scoped.safeParse(input).data ?? null;

/**
 * Calls the internal listeners with the operator's key. With `tokens`, the store that the gateways
 * use, the next request through a gateway sees the changes of a command, and a command sees the
 * changes of earlier requests.
 */
export async function createOperatorClient(options: {
  internalUrls: Record<string, string>;
  privateJwk: Ed25519Jwk;
  tokens?: ReadAfterStore;
  /** The person at the command line; null for a program. */
  operator?: string | null;
}): Promise<OperatorClient> {
  const { tokens, operator = null } = options;
  const signer = await createCallerSigner({ issuer: 'admin', privateJwk: options.privateJwk });

  async function callUnchecked(
    operation: Operation,
    input: unknown,
    { key, isKeyGenerated = false }: CallOptions = {},
  ): Promise<unknown> {
    const { owner, operationId } = operation.config;
    const scope = scopeOf(input);
    const requiredToken = scope && (await tokens?.load(scope));
    const response = await send(`${options.internalUrls[owner]}${operation.url}`, {
      method: operation.method,
      headers: {
        'content-type': 'application/json',
        'x-caller': await signer.sign({
          audience: 'operator',
          actor: { type: 'cli', id: operator },
          permissions: ['platform'],
        }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(isKeyGenerated && { [generatedKeyHeader]: 'true' }),
        ...(requiredToken && { [readAfterHeader]: formatReadAfter(requiredToken) }),
      },
      body: JSON.stringify(input),
    });
    const responseBody = await response.json().catch(() => undefined);
    const token = parseReadAfter(response.headers.get(readAfterHeader));
    if (scope && token) await tokens?.save(scope, token);
    if (!response.ok) throw new OperatorError(operationId, response.status, responseBody);
    return responseBody;
  }

  return {
    callUnchecked,
    // The owner validates its response against the same schema.
    call: <O extends Operation>(operation: O, input: Input<O>) =>
      callUnchecked(operation, input) as Promise<Output<O>>,
  };
}

async function send(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...request, signal: AbortSignal.timeout(timeouts.requestMs) });
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    throw new PlatformUnreachableError(cause);
  }
}
