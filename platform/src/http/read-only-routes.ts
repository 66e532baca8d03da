import type { Operation } from '@event-api/contracts/operation';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { invalidArgument } from '../core/errors.ts';
import { type AllowedFields, allowedBodyFields, recordIds } from './allowed-fields.ts';
import { readOnlyIssues, sentReadOnlyFields } from './read-only-fields.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body before validation; only of an operation of the API that changes something. */
    sentBody?: unknown;
  }
}

type Route = RouteOptions & Operation;

/** What a route sets, and in which records. */
interface Setter {
  operationId: string;
  records: readonly string[];
  fields: readonly string[];
}

/**
 * Makes the operations of the API reject a field of the response whose value is not the one that
 * the record has. The stored record comes from the read of the same path, and what a new record
 * has from `newRecord` of its operation.
 */
export function createReadOnlyCheck(app: FastifyInstance) {
  const reads = new Map<string, Route>();
  const setters: Setter[] = [];

  /** The read of the record that a route changes: that of the same path, or of the one above. */
  function readOf(route: Route): Route | undefined {
    const read = [route.url, route.url.replace(/\/[^/:]+$/, '')]
      .filter((url) => /:[^/]+$/.test(url))
      .map((url) => reads.get(shapeOf(url)))
      .find((found) => found !== undefined);
    const ids = recordIds(route);
    return read && recordIds(read).some((id) => ids.includes(id)) ? read : undefined;
  }

  async function recordOf(route: Route, request: FastifyRequest, reply: FastifyReply) {
    const params = request.params as Record<string, string>;
    const read = readOf(route);
    if (!read) return { ...params, ...route.config.newRecord };
    const values = Object.values(params);
    const names = parametersOf(read.url);
    const ofRecord = Object.fromEntries(names.map((name, index) => [name, values[index]]));
    const asRead = Object.create(request, { params: { value: ofRecord }, query: { value: {} } });
    return (await read.handler.call(app, asRead, reply)) as object;
  }

  return {
    addRead(route: Route): void {
      if (route.method === 'GET') reads.set(shapeOf(route.url), route);
    },
    addChange(route: Route): void {
      const allowed = allowedBodyFields(route);
      const records = recordIds(route);
      setters.push({
        operationId: route.config.operationId,
        records,
        fields: [...namesOf(allowed), ...(route.config.sets ?? [])],
      });
      prepend(route, 'preValidation', async (request) => {
        request.sentBody = request.body;
      });
      prepend(route, 'preHandler', async (request, reply) => {
        const { tells = [] } = route.config;
        const sent = sentReadOnlyFields(allowed, request.sentBody).filter(
          ({ path: [name] }) => !tells.includes(String(name)),
        );
        if (sent.length === 0) return;
        const record = await recordOf(route, request, reply);
        const settersOf = (field: string) =>
          setters
            .filter((each) => each.records.some((id) => records.includes(id)))
            .filter(({ fields }) => fields.includes(field))
            .map(({ operationId }) => operationId);
        const issues = readOnlyIssues(sent, record, settersOf);
        if (issues.length > 0) throw invalidArgument(issues);
      });
    },
  };
}

type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

function prepend(route: Route, hook: 'preValidation' | 'preHandler', check: Check): void {
  const present = route[hook];
  route[hook] = [check, ...(present === undefined ? [] : [present].flat())] as never;
}

/** A path in which the names of parameters do not count. */
const shapeOf = (url: string): string => url.replace(/:[^/]+/g, ':');

const parametersOf = (url: string): string[] =>
  [...url.matchAll(/:([^/]+)/g)].map(([, name = '']) => name);

const namesOf = (allowed: AllowedFields): readonly string[] =>
  allowed?.kind === 'object' ? allowed.names : [];
