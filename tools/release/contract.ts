import { apiOperations } from '@event-api/contracts/http/operations';
import { readBadge, readBadges } from '@event-api/contracts/internal/badges';
import { readChanges } from '@event-api/contracts/internal/changes';
import { readCheckedIn } from '@event-api/contracts/internal/checkins';
import * as cancellation from '@event-api/contracts/internal/event-cancellation';
import * as events from '@event-api/contracts/internal/events';
import { readLineage } from '@event-api/contracts/internal/lineage';
import * as reservations from '@event-api/contracts/internal/reservations';
import { listSnapshots, readSnapshot } from '@event-api/contracts/internal/snapshots';
import * as waitlist from '@event-api/contracts/internal/waitlist';
import * as catalogMessages from '@event-api/contracts/messages/catalog';
import * as registrationMessages from '@event-api/contracts/messages/registration';
import { Snapshot, type SnapshotType } from '@event-api/contracts/messages/snapshot';
import type { Audience, Operation } from '@event-api/contracts/operation';
import { operatorOperations } from '@event-api/contracts/operator/operations';
import { changeOwners, type ProcessName, publisherNames } from '@event-api/contracts/topology';
import { type Fields, fieldsOf } from './fields.ts';
import { requiredSettings } from './required-settings.ts';

/** An operation as its callers see it. */
export interface OperationContract {
  audience: Audience;
  /** Method and path: `GET /v1/events/:eventId`. */
  route: string;
  /** What a request contains, below `path`, `query` and `body`. */
  input: Fields;
  /** What a response contains. Of a service operation: what its callers require. */
  response: Fields;
}

/** Everything on which processes, clients and deployments of one release depend. */
export interface Contract {
  operations: Record<string, OperationContract>;
  /** What readers of each type of snapshot require. */
  snapshots: Record<string, Fields>;
  /** The settings of each process that have no default. */
  settings: Record<string, readonly string[]>;
}

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'config' in value && 'url' in value;
const isSnapshotType = (value: unknown): value is SnapshotType =>
  typeof value === 'object' && value !== null && 'origin' in value && 'data' in value;

/** Operations between services. */
export const serviceOperations: readonly Operation[] = [
  readBadge,
  readBadges,
  readCheckedIn,
  ...Object.values<unknown>(waitlist).filter(isOperation),
  ...Object.values<unknown>(events).filter(isOperation),
  ...Object.values<unknown>(reservations).filter(isOperation),
  ...Object.values<unknown>(cancellation).filter(isOperation),
  ...publisherNames.flatMap((name) => [listSnapshots(name), readSnapshot(name), readLineage(name)]),
  ...changeOwners.map((name) => readChanges(name)),
];

export const snapshotTypes: readonly SnapshotType[] = [
  ...Object.values<unknown>(catalogMessages),
  ...Object.values<unknown>(registrationMessages),
].filter(isSnapshotType);

const allOperations: readonly Operation[] = [
  ...apiOperations,
  ...operatorOperations,
  ...serviceOperations,
];

/** The contract of the sources. Errors: a process whose settings cannot be read. */
export function currentContract(): Contract {
  const envelope = fieldsOf(Snapshot.omit({ data: true }), 'input');
  return {
    operations: byName(
      allOperations.map((each) => [each.config.operationId, operationContract(each)]),
    ),
    snapshots: byName([
      ['(every snapshot)', envelope],
      ...snapshotTypes.map(({ type, data }) => [type, fieldsOf(data, 'input')] as const),
    ]),
    settings: requiredSettings(),
  };
}

function operationContract({ method, url, config, schema }: Operation): OperationContract {
  const parts = { path: schema.params, query: schema.querystring, body: schema.body };
  const input = Object.entries(parts).flatMap(([part, each]) =>
    each === undefined ? [] : Object.entries(fieldsOf(each, 'input', part)),
  );
  const response = schema.response[201] ?? schema.response[200];
  const io = config.audience === 'service' ? 'input' : 'output';
  return {
    audience: config.audience,
    route: `${method} ${url}`,
    input: Object.fromEntries(input),
    response: response === undefined ? {} : fieldsOf(response, io),
  };
}

/** The part of the contract that a process serves: its operations, its snapshots, its settings. */
export function contractOf(process: ProcessName, { operations, snapshots, settings }: Contract) {
  const own = allOperations.filter(({ config }) => config.owner === process);
  const ids = new Set(own.map(({ config }) => config.operationId));
  const types = new Set<string>(
    snapshotTypes.filter(({ origin }) => origin === process).map(({ type }) => type),
  );
  return {
    operations: entriesIn(operations, (id) => ids.has(id)),
    snapshots: entriesIn(snapshots, (type) => types.has(type)),
    settings: entriesIn(settings, (name) => name === process),
  };
}

const entriesIn = <Value>(record: Record<string, Value>, isWanted: (key: string) => boolean) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => isWanted(key)));

const byName = <Value>(entries: (readonly [string, Value])[]): Record<string, Value> =>
  Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
