import type { Operation } from '@event-api/contracts/operation';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { invalidArgument } from '../core/errors.ts';
import { type AllowedFields, allowedBodyFields, recordIds } from './allowed-fields.ts';
import { readOnlyIssues, type SentField, sentReadOnlyFields } from './read-only-fields.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Reads the present values of the fields in `beyondRecord` of the operation. */
    readBeyondRecord?: (request: FastifyRequest) => Promise<object>;
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
 * has from `newRecord` of its operation. Fields in `derived` of the operation may have any value.
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
      prepend(route, async (request, reply) => {
        const { derived = [], beyondRecord = {} } = route.config;
        const isBeyond = ({ path: [name] }: SentField) => Object.hasOwn(beyondRecord, String(name));
        const sent = sentReadOnlyFields(allowed, request.sentBody).filter(
          (field) =>
            !derived.includes(String(field.path[0])) && !(isBeyond(field) && field.value === null),
        );
        if (sent.length === 0) return;
        const record = {
          ...(sent.every(isBeyond) ? {} : await recordOf(route, request, reply)),
          ...(sent.some(isBeyond) &&
            (await request.routeOptions.config.readBeyondRecord?.(request))),
        };
        const settersOf = (field: string) =>
          beyondRecord[field] ??
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

function prepend(route: Route, check: Check): void {
  const present = route.preHandler;
  route.preHandler = [check, ...(present === undefined ? [] : [present].flat())] as never;
}

/** A path in which the names of parameters do not count. */
const shapeOf = (url: string): string => url.replace(/:[^/]+/g, ':');

const parametersOf = (url: string): string[] =>
  [...url.matchAll(/:([^/]+)/g)].map(([, name = '']) => name);

const namesOf = (allowed: AllowedFields): readonly string[] =>
  allowed?.kind === 'object' ? allowed.names : [];
