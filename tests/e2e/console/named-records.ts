import { createCheckinBatch } from '@event-api/contracts/http/checkin-batch';
import type { Operation } from '@event-api/contracts/operation';
import { type RecordKind, recordPrefixes } from '@event-api/contracts/operator/reference';
import { exampleInput } from '@event-api/tools/admin/cli/example';
import { bodyWith, type IdField, idFieldsOf, type Step, smallestBody, valueAt } from '../bodies.ts';
import { bodyFor, kindOf, pathOf, patternsOf, queryOf, type Records } from '../records.ts';
import type { UnitWithRecords } from './unit-with-records.ts';

/** A request to the console, below the path of a business unit. */
export interface UnitRequest {
  method: string;
  path: string;
  body?: string;
}

/** A place of a request that names a record of one kind. */
export interface NamedRecord {
  /** For the messages of tests: `order.refund orderId ord`. */
  label: string;
  /** The prefix of the record's ids. */
  prefix: string;
  /** The name of the field in errors; null for an id in the path. */
  field: string | null;
  /** Whether it is an entry of a list, or a field of one. */
  isInList: boolean;
  /** Whether `requestOf` has it, too. */
  isRequired: boolean;
  /** The request of a unit, with another id in this place. */
  requestWith(unit: UnitWithRecords, id: string): UnitRequest;
}

/** The records that ids in bodies of the API name. A field without an entry fails the tests. */
const prefixesOfApiFields: Record<string, readonly string[]> = {
  registrationTypeId: ['tt'],
  ticketTypeId: ['tt'],
  registrationId: ['reg'],
  subjectId: ['ses', 'ven'],
  itemId: ['tt', 'addon'],
  seatId: ['seat'],
  quoteId: ['quo'],
  capacityGroupId: ['cgp'],
  taxRateId: ['tax'],
  // Of the buyer: no record of the platform.
  vatId: [],
  // Of a capacity group, in its event.
  id: ['cgp'],
  // A number of the unit's own feed.
  changeId: [],
};

/** Ids of commands whose records nobody looks up. */
const notLookedUp: Record<string, readonly string[]> = {
  // A question has a name that its author chooses.
  'form.set': ['id'],
  // The log also has what members of the unit have tried with records of others.
  'audit.list': ['record', 'eventId'],
  // The gateway has no events. A key for an event of others gets 404 for it, as every key of the
  // unit does.
  'key.create': ['eventIds'],
  'key.update': ['eventIds'],
};

/** What a caller expects of a record is compared with it. */
const isLookedUp = ({ config }: Operation, { name, steps }: IdField): boolean =>
  !steps.includes('expected') && !notLookedUp[config.operationId]?.includes(name);

/** What stands beside an id and says of which kind its record is. */
const kindFields: Record<string, Record<string, string>> = {
  subjectType: { evt: 'event', ses: 'session', ven: 'venue' },
  itemType: { tt: 'registration_type', addon: 'addon' },
  targetType: { tt: 'registration_type', addon: 'addon', code: 'redemption_code' },
};

/** Fields that an entry of a list needs beside the ids that it names. */
const requiredBeside: Record<string, Record<string, unknown>> = {
  'refundPolicy.set': { daysBeforeStart: 7 },
};

/** Fields that a body cannot have beside one that it can leave out. */
const insteadOf: Record<string, readonly string[]> = {
  orderIds: ['email'],
  registrationIds: ['amount'],
  ticketTypeId: ['registrationTypeId'],
  quoteId: ['dryRun', 'cancelSeats'],
};

export const isCommand = ({ config }: Operation): boolean => config.audience === 'operator';

/** The request of an operation whose ids are all of one unit. */
export function requestOf(operation: Operation, unit: UnitWithRecords): UnitRequest {
  return isCommand(operation)
    ? commandRequest(operation, commandBody(operation, unit))
    : apiRequest(operation, unit.records, apiBody(operation, unit.records));
}

/**
 * Every place of an operation that names a record: the ids of its path and of its body, also those
 * that it can leave out.
 */
export function namedRecords(operation: Operation): NamedRecord[] {
  const { operationId } = operation.config;
  const ofPath = isCommand(operation) ? [] : patternsOf(operation);
  return [
    ...ofPath.map((pattern): NamedRecord => {
      const { prefix } = kindOf(pattern);
      return {
        label: `${operationId} ${pattern}`,
        prefix,
        field: null,
        isInList: false,
        isRequired: true,
        requestWith(unit, id) {
          const records = { ...unit.records, [pattern]: id };
          return apiRequest(operation, records, apiBody(operation, unit.records));
        },
      };
    }),
    ...idFieldsOf(operation).flatMap((field) =>
      prefixesOf(operation, field).map(
        (prefix): NamedRecord => ({
          label: `${operationId} ${field.steps.join('.')} ${prefix}`,
          prefix,
          field: field.name,
          // They are checked as an entry of a list is: with 400 for the field.
          isInList:
            (inBody.includes(field.name) && !isCommand(operation)) || field.steps.some(isPosition),
          isRequired: isInSmallest(operation, field),
          requestWith: (unit, id) => withId(operation, unit, { ...field, prefix, id }),
        }),
      ),
    ),
  ];
}

/** Fields of bodies of the API that name a record beside the one of the request. */
const inBody = ['capacityGroupId', 'taxRateId'];

const isPosition = (step: Step): boolean => typeof step === 'number';

/** A batch of scans is a success in any case: it records each scan, with a result of its own. */
const prefixesInBatch: readonly string[] = [];

function prefixesOf(operation: Operation, field: IdField): readonly string[] {
  if (operation === createCheckinBatch) return prefixesInBatch;
  if (!isCommand(operation)) {
    const prefixes = prefixesOfApiFields[field.name];
    if (prefixes) return prefixes;
    throw new Error(`${operation.config.operationId}: which records does ${field.name} name?`);
  }
  if (!isLookedUp(operation, field)) return [];
  return field.kinds.map((kind) => recordPrefixes[kind as RecordKind]);
}

function withId(
  operation: Operation,
  unit: UnitWithRecords,
  { steps, prefix, id }: { steps: readonly Step[]; prefix: string; id: string },
): UnitRequest {
  const own = isCommand(operation)
    ? commandBody(operation, unit)
    : apiBody(operation, unit.records);
  const body = bodyWith(operation, own, steps, id);
  const parent = valueAt(body, steps.slice(0, -1)) as Record<string, unknown>;
  for (const [field, words] of Object.entries(kindFields)) {
    if (field in parent) parent[field] = words[prefix] ?? parent[field];
  }
  const [list, position] = steps;
  if (position !== undefined && isPosition(position)) {
    const entry = valueAt(body, [list as Step, position]);
    Object.assign(entry as object, requiredBeside[operation.config.operationId]);
  }
  for (const other of insteadOf[String(steps[0])] ?? []) {
    delete (body as Record<string, unknown>)[other];
  }
  return isCommand(operation)
    ? commandRequest(operation, body)
    : apiRequest(operation, unit.records, body);
}

const commandRequest = ({ config }: Operation, body: unknown): UnitRequest => ({
  method: 'POST',
  path: `/operator/${config.operationId}`,
  body: JSON.stringify(body),
});

const apiRequest = (operation: Operation, records: Records, body: unknown): UnitRequest => ({
  method: operation.method,
  path: pathOf(operation, records) + queryOf(operation),
  ...(body !== undefined && { body: JSON.stringify(body) }),
});

const apiBody = (operation: Operation, records: Records): unknown =>
  operation.schema.body && bodyFor(operation, records);

/** The smallest body of a command, with the unit and its records. */
const commandBody = (operation: Operation, unit: UnitWithRecords): unknown =>
  idFieldsOf(operation)
    .filter((field) => isInSmallest(operation, field) && isLookedUp(operation, field))
    .reduce<unknown>((body, field) => {
      const [prefix = ''] = prefixesOf(operation, field);
      return bodyWith(operation, body, field.steps, idOf(unit, prefix));
    }, exampleInput(operation));

/** A command of a unit names it, also where the command line may leave it out. */
const isInSmallest = (operation: Operation, { name, steps }: IdField): boolean =>
  isCommand(operation)
    ? name === 'businessUnitId' || valueAt(exampleInput(operation), steps) !== undefined
    : valueAt(smallestBody(operation), steps) !== undefined;

/** The id of a record of a unit. Errors: the unit has no record of this kind. */
export function idOf(unit: UnitWithRecords, prefix: string): string {
  const id = unit.ids[prefix];
  if (id) return id;
  throw new Error(`no record ${prefix}: create one in tests/e2e/console/unit-with-records.ts`);
}

/** The records of a unit with ids that do not exist. */
export function nowhere(unit: UnitWithRecords): UnitWithRecords {
  const missing = (ids: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(ids).map(([key, id]) => [key, missingId(id.slice(0, id.indexOf('_')))]),
    );
  const { records, ids } = unit;
  return { ...unit, unitId: missingId('unit'), records: missing(records), ids: missing(ids) };
}

/** A well-formed id without a record. */
export const missingId = (prefix: string): string => `${prefix}_01k8zq4m3ne7rbj5t2xw9vd6ah`;
