import type { Contract, OperationContract } from './contract.ts';
import type { Field, Fields } from './fields.ts';

/**
 * A difference between two releases that breaks a process, a client or a deployment of the previous
 * one.
 */
export type BreakingChange = { of: string } & (
  | { kind: 'operation_removed' }
  | { kind: 'operation_moved'; from: string; to: string }
  | { kind: 'snapshot_removed' }
  | { kind: 'setting_required'; setting: string }
  | { kind: 'field_removed' | 'input_removed' | 'input_required'; field: string }
  /** Readers of this release require a field that the previous release does not send. */
  | { kind: 'field_required'; field: string }
  | { kind: 'field_retyped' | 'input_retyped'; field: string; from: string; to: string }
  | { kind: 'value_added' | 'input_value_removed'; field: string; values: readonly string[] }
);

/**
 * Lists as text, for example `status of registration.registration`, whose readers accept unknown
 * values.
 */
export type TolerantReaders = ReadonlySet<string>;

/**
 * What breaks if any process of the release `next` runs beside processes of `previous`, in the
 * order of names. Both directions count: old readers with new writers, and new readers with old
 * writers. A new value in a response or a snapshot is breaking unless `tolerant` has `<field> of
 * <operation or snapshot>`.
 */
export function breakingChanges(
  previous: Contract,
  next: Contract,
  tolerant: TolerantReaders,
): BreakingChange[] {
  const operations = Object.entries(previous.operations).flatMap(([of, old]) => {
    const current = next.operations[of];
    return current
      ? operationChanges(of, old, current, tolerant)
      : [{ of, kind: 'operation_removed' } as const];
  });
  const snapshots = Object.entries(previous.snapshots).flatMap(([of, old]) => {
    const current = next.snapshots[of];
    return current
      ? readerChanges(of, old, current, tolerant)
      : [{ of, kind: 'snapshot_removed' } as const];
  });
  const settings = Object.entries(previous.settings).flatMap(([of, old]) =>
    (next.settings[of] ?? [])
      .filter((setting) => !old.includes(setting))
      .map((setting) => ({ of, kind: 'setting_required', setting }) as const),
  );
  return [...operations, ...snapshots, ...settings];
}

/** A change in one line. `releases/exceptions.json` repeats it to accept the change. */
export function describeChange(change: BreakingChange): string {
  switch (change.kind) {
    case 'operation_removed':
    case 'snapshot_removed':
      return `${change.of} is removed`;
    case 'operation_moved':
      return `${change.of} moves from ${change.from} to ${change.to}`;
    case 'setting_required':
      return `${change.of} requires the new setting ${change.setting}`;
    case 'field_removed':
    case 'input_removed':
      return `${change.field} of ${change.of} is removed`;
    case 'field_required':
    case 'input_required':
      return `${change.field} of ${change.of} is required`;
    case 'field_retyped':
    case 'input_retyped':
      return `${change.field} of ${change.of} changes from ${change.from} to ${change.to}`;
    case 'value_added':
      return `${change.field} of ${change.of} has the new values ${change.values.join(', ')}`;
    case 'input_value_removed':
      return `${change.field} of ${change.of} no longer accepts ${change.values.join(', ')}`;
  }
}

function operationChanges(
  of: string,
  old: OperationContract,
  next: OperationContract,
  tolerant: TolerantReaders,
): BreakingChange[] {
  const moved = old.route === next.route ? [] : [{ from: old.route, to: next.route }];
  const response = old.audience === 'service' ? readerChanges : responseChanges;
  return [
    ...moved.map((routes) => ({ of, kind: 'operation_moved', ...routes }) as const),
    ...inputChanges(of, old, next),
    ...response(of, old.response, next.response, tolerant),
  ];
}

/** Responses to clients, whose code may use every field. */
function responseChanges(
  of: string,
  old: Fields,
  next: Fields,
  tolerant: TolerantReaders,
): BreakingChange[] {
  return Object.entries(old).flatMap(([field, before]) => {
    const after = next[field];
    if (!after) return hasParentOf(field, next) ? [{ of, kind: 'field_removed', field }] : [];
    const isRetyped =
      !includes(before.types, after.types) || (after.isOptional && !before.isOptional);
    if (isRetyped) return [{ of, kind: 'field_retyped', field, ...typesOf(before, after) }];
    return addedValues(of, field, before, after, tolerant);
  });
}

/** What readers of our own require of responses and snapshots. They ignore unknown fields. */
function readerChanges(
  of: string,
  old: Fields,
  next: Fields,
  tolerant: TolerantReaders,
): BreakingChange[] {
  const kept = Object.entries(old).flatMap(([field, before]): BreakingChange[] => {
    const after = next[field];
    if (!after) {
      return hasParentOf(field, next) && !before.isOptional
        ? [{ of, kind: 'field_removed', field }]
        : [];
    }
    if (!includes(before.types, after.types) || !includes(after.types, before.types)) {
      return [{ of, kind: 'field_retyped', field, ...typesOf(before, after) }];
    }
    return addedValues(of, field, before, after, tolerant);
  });
  const required = Object.entries(next)
    .filter(([field, after]) => !old[field] && !after.isOptional && hasParentOf(field, old))
    .map(([field]) => ({ of, kind: 'field_required', field }) as const);
  return [...kept, ...required];
}

/**
 * Requests of callers of the previous release. Services ignore unknown fields of each other,
 * clients get a 400.
 */
function inputChanges(
  of: string,
  { input: old, audience }: OperationContract,
  { input: next }: OperationContract,
): BreakingChange[] {
  const kept = Object.entries(old).flatMap(([field, before]): BreakingChange[] => {
    const after = next[field];
    if (!after) {
      const isRejected = audience !== 'service' && hasParentOf(field, next);
      return isRejected ? [{ of, kind: 'input_removed', field }] : [];
    }
    if (before.isOptional && !after.isOptional) return [{ of, kind: 'input_required', field }];
    if (!includes(after.types, before.types)) {
      return [{ of, kind: 'input_retyped', field, ...typesOf(before, after) }];
    }
    const { values: accepted } = after;
    if (accepted === undefined) return [];
    if (before.values === undefined) {
      return [{ of, kind: 'input_retyped', field, ...typesOf(before, after) }];
    }
    const values = before.values.filter((value) => !accepted.includes(value));
    return values.length > 0 ? [{ of, kind: 'input_value_removed', field, values }] : [];
  });
  const required = Object.entries(next)
    .filter(([field, after]) => !old[field] && !after.isOptional && hasParentOf(field, old))
    .map(([field]) => ({ of, kind: 'input_required', field }) as const);
  return [...kept, ...required];
}

function addedValues(
  of: string,
  field: string,
  before: Field,
  after: Field,
  tolerant: TolerantReaders,
): BreakingChange[] {
  const known = before.values;
  if (known === undefined || tolerant.has(`${field} of ${of}`)) return [];
  if (after.values === undefined) {
    return [{ of, kind: 'field_retyped', field, ...typesOf(before, after) }];
  }
  const values = after.values.filter((value) => !known.includes(value));
  return values.length > 0 ? [{ of, kind: 'value_added', field, values }] : [];
}

const includes = (list: readonly string[], part: readonly string[]): boolean =>
  list.includes('any') || part.every((each) => list.includes(each));

const typesOf = (before: Field, after: Field) => ({ from: typeOf(before), to: typeOf(after) });

const typeOf = ({ types, values, isOptional }: Field): string =>
  [
    ...(isOptional ? ['optional'] : []),
    types.join('|'),
    ...(values ? [`(${values.join('|')})`] : []),
  ].join(' ');

/** Whether `fields` has the parent of a field. Without the parent, only the parent is reported. */
function hasParentOf(field: string, fields: Fields): boolean {
  const parent = /(\[\]|\{\})$/.test(field)
    ? field.slice(0, -2)
    : field.slice(0, Math.max(0, field.lastIndexOf('.')));
  return parent === '' || fields[parent] !== undefined;
}
