import type { z } from 'zod';
import type { ErrorCode, PreconditionReason } from './errors.ts';

/** The services that own operations. */
export type Owner = 'gateway' | 'catalog' | 'registration' | 'commerce' | 'onsite';

/** Whose caller token a route takes: an integrator's key (`api`), an operator's tool, another service, a payment provider. */
export type Audience = 'api' | 'operator' | 'service' | 'notification';

export interface OperationConfig {
  operationId: string;
  summary: string;
  description?: string;
  /** The heading it stands under in the reference. */
  tag: string;
  owner: Owner;
  audience: Audience;
  /** Error statuses beyond those that every operation of its shape can answer. */
  errors?: readonly ErrorCode[];
  /** It can create several records at once. `Location` is sent only if it creates exactly one. */
  createsMany?: true;
  /** The business rules that can refuse it with 412. */
  preconditions?: readonly PreconditionReason[];
}

export interface OperationSchema {
  /** Any string is a possible id; the owner's query says whether there is such a record. */
  params?: z.ZodType;
  querystring?: z.ZodType;
  body?: z.ZodType;
  /** Success statuses only; errors are one envelope everywhere. */
  response: Partial<Record<200 | 201, z.ZodType>>;
}

/**
 * One operation, written as Fastify's own route options: a service adds a handler, the gateway a
 * proxy, the reference its text, and none of the three can drift from the others.
 */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  /** In Fastify's notation: `/v1/events/:eventId`. */
  url: string;
  config: OperationConfig;
  schema: OperationSchema;
}

/** Declares an operation and keeps the exact types of its schemas. */
export const operation = <const O extends Operation>(declared: O): O => declared;
