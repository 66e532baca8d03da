import { forwardedOperations } from '@event-api/contracts/http/operations';
import { isMutation, type Operation } from '@event-api/contracts/operation';
import { listAdministrators, removeAdministrator } from '@event-api/contracts/operator/members';
import { operatorOperations } from '@event-api/contracts/operator/operations';
import { permissionsOfRole, type Role, roles } from '@event-api/contracts/permissions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleClient, consoleClient } from './console/client.ts';
import {
  idOf,
  missingId,
  type NamedRecord,
  namedRecords,
  nowhere,
  requestOf,
  type UnitRequest,
} from './console/named-records.ts';
import { subjects } from './console/operator.ts';
import { rowsOfUnits } from './console/rows-of-units.ts';
import { createUnitWithRecords, type UnitWithRecords } from './console/unit-with-records.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';
import { stableParts } from './raw-client.ts';

/** Every operation that the console offers. A new one is tested without another line. */
const operations: readonly Operation[] = [...forwardedOperations, ...operatorOperations];

/**
 * In the full size every role sends each request, and each record is replaced by one of another
 * unit. Otherwise one role does, and only required records of every third operation are replaced.
 */
const isFull = process.env.TEST_SIZE === 'full';

let platform: PlatformFixture;
/** One member for each role of `own`; `foreign` has none of them. */
let own: UnitWithRecords;
let foreign: UnitWithRecords;
const people = new Map<Role, ConsoleClient>();
let stranger: ConsoleClient;
let before: Record<string, string>;

const clientOf = (role: Role): ConsoleClient => people.get(role) as ConsoleClient;

beforeAll(async () => {
  platform = await sharedPlatform();
  [own, foreign] = await Promise.all([
    createUnitWithRecords(platform),
    createUnitWithRecords(platform),
  ]);
  stranger = await consoleClient(platform.consoleUrl, 'paula');
  await foreign.join(stranger, 'owner');
  for (const role of roles) {
    const client = await consoleClient(platform.consoleUrl, subjects[role]);
    people.set(role, client);
    await own.join(client, role);
  }
  // Other tests make a demo operator an administrator of the platform, who may do more than the
  // role.
  const { administrators } = await platform.operator.call(listAdministrators, {});
  for (const { operatorId } of administrators) {
    await platform.operator.call(removeAdministrator, { operatorId });
  }
  before = await rowsOfUnits(platform.database.all, [own.unitId, foreign.unitId]);
});
afterAll(() => {
  for (const client of [stranger, ...people.values()]) client?.close();
});

const isHeldBy = (role: Role, { config }: Operation): boolean =>
  [config.permission].flat().some((word) => word && permissionsOfRole(role).includes(word));
const holdersOf = (operation: Operation) => roles.filter((role) => isHeldBy(role, operation));

/** In the full size all roles, otherwise another one for each `turn`. */
const some = <Item>(items: readonly Item[], turn: number): readonly Item[] =>
  isFull ? items : items.slice(turn % items.length).slice(0, 1);

/** An operation and a member who sends its request. */
interface Cell {
  operation: Operation;
  role: Role;
}

/** The cells of the members who hold the permission, or of those of `from`. */
const cellsOf = <Case extends { operation: Operation }>(
  cases: readonly Case[],
  from: (operation: Operation) => readonly Role[] = holdersOf,
): (Case & Cell)[] =>
  cases.flatMap((each, turn) =>
    some(from(each.operation), turn).map((role) => ({ ...each, role })),
  );

const cases = operations.map((operation) => ({ operation }));

/** A response without what differs between two responses to one request. */
type Stable = ReturnType<typeof stableParts>;

async function send(role: Role, unitId: string, { path, ...rest }: UnitRequest): Promise<Stable> {
  const url = `/api/units/${unitId}${path}`;
  return stableParts(await clientOf(role).request({ ...rest, path: url }));
}

/** Sends the requests of some cells at once. Returns those whose responses are wrong. */
async function faultsOf<Case extends Cell>(
  cells: readonly Case[],
  check: (cell: Case) => Promise<{ isRight: boolean; responses: readonly Stable[] }>,
): Promise<string[]> {
  const queue = [...cells];
  const faults: string[] = [];
  const worker = async () => {
    for (let cell = queue.shift(); cell; cell = queue.shift()) {
      const { isRight, responses } = await check(cell);
      if (isRight) continue;
      const shown = responses.map(({ status, body }) => `${status} ${body}`).join('\n  ');
      faults.push(`${cell.role}, ${cell.operation.config.operationId}\n  ${shown}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return faults;
}

const areEqual = (one: Stable, other: Stable): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

test('there is a record of each kind that an operation names, in either unit', () => {
  const named = operations.flatMap(namedRecords);
  expect(named.length).toBeGreaterThan(300);
  for (const { prefix } of named) expect(idOf(own, prefix)).not.toBe(idOf(foreign, prefix));
});

test('in the own unit, an operation without the permission is a 403 that does not depend on its records', async () => {
  const cells = cellsOf(cases, (operation) => roles.filter((role) => !isHeldBy(role, operation)));
  expect(cells.length).toBeGreaterThan(isFull ? 300 : 100);
  const faults = await faultsOf(cells, async ({ operation, role }) => {
    const denied = await send(role, own.unitId, requestOf(operation, own));
    const others = isFull ? [await send(role, own.unitId, requestOf(operation, foreign))] : [];
    const { error } = JSON.parse(denied.body);
    const isDenied = denied.status === 403 && error.status === 'PERMISSION_DENIED';
    const isRight = isDenied && others.every((other) => areEqual(other, denied));
    return { isRight, responses: [denied, ...others] };
  });
  expect(faults).toEqual([]);
});

/** Removing what is not there is a success without an effect. */
const removals = [
  'exhibitor.removeMember registrationId',
  'exhibitor.releaseBooth boothId',
  'perk.unbind targetId',
];

/**
 * Whether a response says that a record does not exist: a 404, or for an entry of a list a 400 that
 * names it. A read may also find nothing.
 */
function isNotFound(operation: Operation, record: NamedRecord, { status, body }: Stable): boolean {
  if (status === 404) return !record.isInList;
  const isSuccess =
    !isMutation(operation) || removals.some((each) => record.label.startsWith(each));
  if (status === 200) return isSuccess;
  const details: { field: string; code: string }[] = JSON.parse(body).error.details ?? [];
  return status === 400 && record.isInList && details.some(({ code }) => code === 'not_found');
}

test('a record of another unit is byte for byte a missing one, wherever a request names it', async () => {
  const named = operations
    .filter((_, position) => isFull || position % 3 === 0)
    .flatMap((operation) =>
      namedRecords(operation)
        .filter(({ isRequired }) => isRequired || isFull)
        .map((record) => ({ operation, record })),
    );
  const faults = await faultsOf(cellsOf(named), async ({ operation, record, role }) => {
    const responseTo = (id: string) => send(role, own.unitId, record.requestWith(own, id));
    const missing = await responseTo(missingId(record.prefix));
    const other = await responseTo(idOf(foreign, record.prefix));
    const isRight = areEqual(other, missing) && isNotFound(operation, record, missing);
    return { isRight, responses: [other, missing] };
  });
  expect(faults).toEqual([]);
});

test.runIf(isFull)(
  'records that are all of another unit are byte for byte the 404 of missing ones',
  async () => {
    const named = cases.filter(({ operation }) =>
      namedRecords(operation).some((each) => each.isRequired),
    );
    const faults = await faultsOf(cellsOf(named), async ({ operation, role }) => {
      const other = await send(role, own.unitId, requestOf(operation, foreign));
      const missing = await send(role, own.unitId, requestOf(operation, nowhere(foreign)));
      const isRight = areEqual(other, missing) && other.status === 404;
      return { isRight, responses: [other, missing] };
    });
    expect(faults).toEqual([]);
  },
);

test('a unit of which the person is no member is byte for byte the 404 of a missing one', async () => {
  const faults = await faultsOf(
    cellsOf(cases, () => roles),
    async ({ operation, role }) => {
      const request = requestOf(operation, foreign);
      const other = await send(role, foreign.unitId, request);
      const missing = await send(role, missingId('unit'), request);
      const isRight = areEqual(other, missing) && other.status === 404;
      return { isRight, responses: [other, missing] };
    },
  );
  expect(faults).toEqual([]);
});

test('nothing of this has changed a record of either unit, or added a change or an entry of the audit log', async () => {
  expect(await rowsOfUnits(platform.database.all, [own.unitId, foreign.unitId])).toEqual(before);
});
