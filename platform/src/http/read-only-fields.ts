import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type { AllowedFields } from './allowed-fields.ts';
import { canonicalJson } from './canonical-json.ts';
import { fieldPath, listed, maxIssues } from './unknown-fields.ts';

type Path = readonly (string | number)[];

/** A field of the response that a request has sent. */
export interface SentField {
  path: Path;
  value: unknown;
}

/** The fields of a body that only the response of the operation has, at every level. */
export function sentReadOnlyFields(allowed: AllowedFields, body: unknown): SentField[] {
  const sent: SentField[] = [];
  visit(allowed, body, [], sent);
  return sent;
}

function visit(allowed: AllowedFields, value: unknown, path: Path, sent: SentField[]): void {
  if (allowed === null || typeof value !== 'object' || value === null) return;
  if (sent.length >= maxIssues) return;
  if (Array.isArray(value)) {
    if (allowed.kind !== 'array') return;
    for (const [index, item] of value.entries()) visit(allowed.item, item, [...path, index], sent);
    return;
  }
  if (allowed.kind !== 'object') return;
  for (const [name, field] of Object.entries(value)) {
    const known = allowed.fields.get(name);
    if (known === undefined) continue;
    if (allowed.names.includes(name)) visit(known, field, [...path, name], sent);
    else if (sent.length < maxIssues) sent.push({ path: [...path, name], value: field });
  }
}

/**
 * The issues of fields that the request cannot set. A field with the value that the record has
 * passes, so that a client can send back what it has read. `record` is the stored record, or what
 * is known of a new one before it exists. `settersOf` names the operations that set a field.
 */
export function readOnlyIssues(
  sent: readonly SentField[],
  record: object,
  settersOf: (field: string) => readonly string[],
): FieldIssue[] {
  return sent.flatMap(({ path, value }) => {
    const actual = valueAt(record, path);
    if (actual !== undefined && canonicalJson(actual) === canonicalJson(value)) return [];
    const setters = settersOf(String(path.find((step) => typeof step === 'string')));
    const setBy =
      setters.length > 0
        ? `${listed(setters)} ${setters.length > 1 ? 'set' : 'sets'} it`
        : 'the platform sets it';
    const issue = `cannot be set here; ${setBy}`;
    return [{ field: fieldPath(path), issue, code: 'read_only_field' }];
  });
}

const valueAt = (record: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<string | number, unknown>)[step]
        : undefined,
    record,
  );
