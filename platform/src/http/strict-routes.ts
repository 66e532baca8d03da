import type { Operation } from '@event-api/contracts/operation';
import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler, RouteOptions } from 'fastify';
import { z } from 'zod';
import { invalidArgument } from '../core/errors.ts';
import { createReadOnlyCheck } from './read-only-routes.ts';
import { unknownParameters } from './unknown-fields.ts';
import { strictValidatorCompiler } from './validation.ts';

// Operations between processes stay tolerant: during a rolling release an older process must ignore
// fields that a newer one sends.
const strictAudiences: readonly unknown[] = ['api', 'operator'];

declare module 'fastify' {
  interface FastifyRequest {
    /** The body before validation; only of an operation that can change something. */
    sentBody?: unknown;
  }
}

const noBody = z.object({}).optional();
const noQuery = z.object({});

/**
 * Makes every route of the API and of the operator commands reject unknown fields and parameters,
 * and those of the API also fields that they cannot set.
 * It reads the schemas of each operation, so a new operation needs no code.
 */
export function rejectUnknownFields(app: FastifyInstance): void {
  const readOnly = createReadOnlyCheck(app);
  app.addHook('onRoute', (route) => {
    if (!isStrict(route)) return;
    if (isRead(route)) readOnly.addRead(route);
    else if (route.config.audience === 'api') readOnly.addChange(route);
    route.validatorCompiler = strictValidatorCompiler(route) as FastifySchemaCompiler<unknown>;
    if (isRead(route)) checkQueryAfterRead(route);
    else {
      keepSentBody(route);
      const { body = noBody, querystring = noQuery } = route.schema;
      route.schema = { ...route.schema, body, querystring };
    }
  });
}

function isStrict(route: RouteOptions): route is RouteOptions & Operation {
  return strictAudiences.includes(route.config?.audience) && route.schema?.response !== undefined;
}

// Fastify adds a HEAD route to each GET route.
const isRead = ({ method }: RouteOptions): boolean => method === 'GET' || method === 'HEAD';

function keepSentBody(route: RouteOptions): void {
  const { preValidation } = route;
  const keep = async (request: FastifyRequest) => {
    request.sentBody = request.body;
  };
  route.preValidation = [keep, ...(preValidation === undefined ? [] : [preValidation].flat())];
}

/**
 * A read without parameters of its own finds its record in the handler. A missing record is always
 * a 404, so the query is checked afterwards.
 */
function checkQueryAfterRead(route: RouteOptions): void {
  if (route.schema?.querystring) return;
  const { handler } = route;
  route.handler = async function (request, reply) {
    const result = await handler.call(this, request, reply);
    const issues = unknownParameters([], request.query as object);
    if (issues.length > 0) throw invalidArgument(issues);
    return result;
  };
}
