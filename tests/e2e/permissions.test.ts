import { apiOperations } from '@event-api/contracts/http/operations';
import type { Operation } from '@event-api/contracts/operation';
import { operatorOperations } from '@event-api/contracts/operator/operations';
import { permissionsOfRole, roles } from '@event-api/contracts/permissions';
import { createLogger } from '@event-api/platform/core/log';
import { requireCaller } from '@event-api/platform/http/require-caller';
import { createHttpServer, type HttpServer } from '@event-api/platform/http/server';
import { createTestCallers, type TestCallers } from '@event-api/platform/testing/callers';
import { type HttpClient, httpClient } from '@event-api/platform/testing/http-client';
import { exampleInput } from '@event-api/tools/admin/cli/example';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/**
 * Every operation of the contracts behind the real authorization; commands of one name have a path
 * for each owner.
 */
const operations: Operation[] = [
  ...apiOperations,
  ...operatorOperations.map((each) => ({ ...each, url: `/${each.config.owner}${each.url}` })),
];

let callers: TestCallers;
let server: HttpServer;
let client: HttpClient;
const handled: Operation[] = [];

beforeAll(async () => {
  callers = await createTestCallers();
  const log = createLogger({ service: 'test', level: 'silent' });
  server = createHttpServer({ log, checkResponses: false, trustRequestId: true });
  requireCaller(server, callers.verifier);
  for (const each of operations) {
    server.route({
      ...each,
      handler: async () => {
        handled.push(each);
        return {};
      },
    });
  }
  client = httpClient(await server.listen({ host: '127.0.0.1', port: 0 }));
});
afterAll(() => server?.close());

const own = 'unit_own';

async function call(operation: Operation, permissions: readonly string[], businessUnitId: string) {
  const audience = operation.config.audience;
  const signer = await callers.signer('console');
  const token = await signer.sign({ audience, businessUnitId: own, permissions });
  const example = exampleInput(operation);
  const hasUnit = 'businessUnitId' in example;
  const isCommand = audience === 'operator';
  const body = isCommand ? { ...example, ...(hasUnit && { businessUnitId }) } : {};
  const path = operation.url.replaceAll(/:\w+/g, 'id_1');
  const response = await client(operation.method, path, {
    headers: { 'x-caller': token },
    ...(operation.method !== 'GET' && { body }),
  });
  return { ...response, hasUnit: isCommand && hasUnit };
}

describe.each(roles)('a person with the role %s', (role) => {
  const permissions = permissionsOfRole(role);
  const isHeld = ({ config }: Operation) =>
    [config.permission].flat().some((word) => word !== undefined && permissions.includes(word));

  test('gets 403 for every operation without the permission, and it is not carried out', async () => {
    handled.length = 0;
    for (const operation of operations.filter((each) => !isHeld(each))) {
      for (const unit of [own, 'unit_foreign']) {
        const { status, body } = await call(operation, permissions, unit);
        expect([status, body.error.status], operation.url).toEqual([403, 'PERMISSION_DENIED']);
      }
    }
    expect(handled).toEqual([]);
  });

  test('gets 404 for every command on another unit, byte for byte that of a missing one', async () => {
    handled.length = 0;
    for (const operation of operations.filter(isHeld)) {
      const foreign = await call(operation, permissions, 'unit_foreign');
      if (!foreign.hasUnit) continue;
      const missing = await call(operation, permissions, 'unit_missing');
      expect(foreign.status, operation.url).toBe(404);
      expect(JSON.stringify(foreign.body)).toBe(JSON.stringify(missing.body));
    }
    expect(handled.filter(({ config }) => config.audience === 'operator')).toEqual([]);
  });

  test('reaches every command on the own unit with the permission', async () => {
    for (const operation of operations.filter(isHeld)) {
      const { status, hasUnit } = await call(operation, permissions, own);
      if (hasUnit) expect(status, operation.url).toBe(200);
    }
  });
});
