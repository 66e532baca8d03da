import { apiOperations } from '@event-api/contracts/http/operations';
import { isMutation, type Operation } from '@event-api/contracts/operation';
import { createCallerSigner } from '@event-api/platform/http/caller-tokens';
import {
  formatReadAfter,
  parseReadAfter,
  readAfterHeader,
} from '@event-api/platform/messaging/read-after/token';
import { type HttpClient, httpClient } from '@event-api/platform/testing/http-client';
import type { OperatorClient } from '@event-api/tools/admin/operator-client';
import { openReadAfterStore } from '@event-api/tools/admin/read-after-store';
import type { BusFixture } from './fixtures/bus.ts';

/** Counts the successful calls of each operation that can change something. */
export type SuccessCounts = Map<string, number>;

const count = (counts: SuccessCounts, { config }: Operation): void =>
  void counts.set(config.operationId, (counts.get(config.operationId) ?? 0) + 1);

const patternOf = ({ method, url }: Operation): RegExp =>
  new RegExp(`^${method} ${url.replace(/:\w+/g, '[^/]+')}$`);

const patterns = apiOperations.map((operation) => ({ operation, pattern: patternOf(operation) }));

function operationOf(method: string, path: string): Operation {
  const called = `${method} ${path.split('?')[0]}`;
  // A path such as `/lookup` also matches that of a single record, which is declared behind it.
  const found = patterns.find(({ pattern }) => pattern.test(called));
  if (!found) throw new Error(`there is no operation ${called}`);
  return found.operation;
}

/** The permissions of devices, pairing codes and claim links, which have their own credentials. */
const hasOwnCredential = new Set<unknown>(['device', 'pairing', 'claim']);

/** A client that calls the services as an operator does, and counts what succeeds. */
export async function operatorApi(
  bus: BusFixture,
  businessUnitId: string,
  counts: SuccessCounts,
): Promise<HttpClient> {
  const env = bus.specOf('gateway').env ?? {};
  const privateJwk = JSON.parse(String(env.CALLER_PRIVATE_KEY));
  const signer = await createCallerSigner({ issuer: 'gateway', privateJwk });
  const tokens = await openReadAfterStore(bus.redisUrl);
  const holder = httpClient(bus.gatewayUrl);
  return async (method, path, options = {}) => {
    const operation = operationOf(method, path);
    const { permission } = operation.config;
    if (hasOwnCredential.has(permission)) return holder(method, path, options);
    const eventId = /^\/v1\/events\/([^/?]+)/.exec(path)?.[1] ?? null;
    const scope = { businessUnitId, eventId };
    const required = await tokens.load(scope);
    const caller = await signer.sign({
      audience: 'api',
      businessUnitId,
      defaultCurrency: 'EUR',
      actor: { type: 'operator', id: 'opr_1' },
    });
    const url = String(env[`${operation.config.owner.toUpperCase()}_URL`]);
    const headers = {
      ...options.headers,
      'x-caller': caller,
      ...(required && { [readAfterHeader]: formatReadAfter(required) }),
    };
    const response = await httpClient(url)(method, path, { ...options, headers });
    const written = parseReadAfter(response.headers[readAfterHeader]);
    if (written) await tokens.save(scope, written);
    if (response.status < 300 && isMutation(operation)) count(counts, operation);
    return response;
  };
}

/** The operator client of the platform, which counts what succeeds. */
export function countedOperator(operator: OperatorClient, counts: SuccessCounts): OperatorClient {
  const callUnchecked: OperatorClient['callUnchecked'] = async (operation, input, options) => {
    const response = await operator.callUnchecked(operation, input, options);
    if (isMutation(operation)) count(counts, operation);
    return response;
  };
  return {
    callUnchecked,
    call: (operation, input) => callUnchecked(operation, input) as never,
  };
}
