import type { z } from 'zod';
import type { ErrorCode, PreconditionReason } from './errors.ts';
import type { Permission } from './permissions.ts';
import type { ProcessName } from './topology.ts';

/** The process that implements an operation. */
export type Owner = ProcessName;

/**
 * The caller that a route accepts: an API key (`api`), an operator, another service, a payment
 * provider.
 */
export type Audience = 'api' | 'operator' | 'service' | 'notification';

/** The budgets of an API key. The rate limit counts each of them separately. */
export type RateLimitBudget = 'default' | 'checkins' | 'changes';

export interface OperationConfig {
  operationId: string;
  summary: string;
  description?: string;
  /** Its heading in the reference. */
  tag: string;
  owner: Owner;
  audience: Audience;
  /**
   * The permission that a caller needs, or two of which one is enough; each API operation and
   * command has one.
   */
  permission?: Permission | readonly [Permission, Permission];
  /** Fields of the body that only a caller with the permission `platform` may send. */
  platformFields?: readonly string[];
  /** No event is in its path, and a caller with access to some events gets only these. */
  readsOwnEvents?: true;
  /** Fields of the response that are secrets. A replay of a stored response has null instead. */
  secretInResponse?: readonly string[];
  /** The budget of the key that a request uses, `default` without it. */
  rateLimitBudget?: RateLimitBudget;
  /**
   * A request may wait for a change on purpose. Meanwhile it takes no place of its business unit at
   * the gateway.
   */
  mayWait?: true;
  /** Its response has an `ETag`. A request with the present one as `If-None-Match` gets a 304. */
  hasEtag?: true;
  /** Its success is a file of one of these media types, by default JSON. */
  files?: readonly string[];
  /**
   * An `Idempotency-Key` has no effect: its credential is used up by its success, or a repetition
   * is safe without one.
   */
  isOnce?: true;
  /** It changes nothing, although it is a POST: an operator command that reads. */
  isRead?: true;
  /** Error statuses beyond those that every operation of its shape can return. */
  errors?: readonly ErrorCode[];
  /** It can create several records at once. `Location` is sent only if it creates exactly one. */
  createsMany?: true;
  /**
   * Fields of its record that change without a request that sets them, such as counters. A request
   * can send back an earlier value, without an effect.
   */
  derived?: readonly string[];
  /**
   * Fields of its response that are not part of its record, each with the operations that set it.
   * The route reads their present values. A request can send null, which says nothing about them.
   */
  beyondRecord?: Readonly<Record<string, readonly string[]>>;
  /** The schema of its record, if its response is a larger one. */
  recordId?: string;
  /** Fields of its record that it changes although its body does not have them. */
  sets?: readonly string[];
  /** What every record that it creates has in fields that its body does not have. */
  newRecord?: Readonly<Record<string, unknown>>;
  /** The business rules that can reject it with 412. */
  preconditions?: readonly PreconditionReason[];
}

export interface OperationSchema {
  /** Any string is a possible id; the query of the owner decides whether the record exists. */
  params?: z.ZodType;
  querystring?: z.ZodType;
  body?: z.ZodType;
  /** Success statuses only; all errors have the same envelope. */
  response: Partial<Record<200 | 201, z.ZodType>>;
}

/**
 * One operation in the format of Fastify's route options. The service adds a handler, the gateway a
 * proxy, and the reference its text, so the three cannot differ.
 */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  /** In Fastify's notation: `/v1/events/:eventId`. */
  url: string;
  config: OperationConfig;
  schema: OperationSchema;
}

/**
 * An operation of the API and an operator command declare their permission; operations between
 * processes have none.
 */
type Permitted =
  | {
      audience: 'api' | 'operator';
      permission: NonNullable<OperationConfig['permission']>;
    }
  | { audience: 'service' | 'notification' };

/** Declares an operation and keeps the exact types of its schemas. */
export const operation = <const O extends Operation & { config: Permitted }>(declared: O): O =>
  declared;

/** Whether an operation can change something. */
export const isMutation = ({ method, config }: Pick<Operation, 'method' | 'config'>): boolean =>
  !(['GET', 'HEAD'] as string[]).includes(method) && !config.isRead;
