import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type { AllowedFields, ObjectFields } from './allowed-fields.ts';
import { nearestName } from './nearest-name.ts';

/** The number of details in an error response. */
export const maxIssues = 50;

/** Longer names are truncated in the response. */
const maxNameLength = 100;

type Path = (string | number)[];

/** The fields of a body that the operation does not declare, at every level. */
export function unknownFields(allowed: AllowedFields, body: unknown): FieldIssue[] {
  const issues: FieldIssue[] = [];
  visit(allowed, body, [], issues);
  return issues;
}

/** The parameters of a query that the operation does not declare. */
export function unknownParameters(supported: readonly string[], query: object): FieldIssue[] {
  const unknown = Object.keys(query).filter((name) => !supported.includes(name));
  const allowed =
    supported.length > 0 ? describeAllowed('parameter', supported) : 'this operation takes none';
  return unknown.slice(0, maxIssues).map((name) => ({
    field: shortened(name),
    issue: `is not a known parameter; ${allowed}`,
    code: 'unknown_parameter',
  }));
}

function visit(allowed: AllowedFields, value: unknown, path: Path, issues: FieldIssue[]): void {
  if (allowed === null || typeof value !== 'object' || value === null) return;
  if (allowed.kind === 'object') {
    if (!Array.isArray(value)) visitObject(allowed, value, path, issues);
    return;
  }
  if (!Array.isArray(value)) return;
  for (const [index, item] of value.entries()) {
    if (issues.length >= maxIssues) return;
    path.push(index);
    visit(allowed.item, item, path, issues);
    path.pop();
  }
}

function visitObject(allowed: ObjectFields, value: object, path: Path, issues: FieldIssue[]): void {
  for (const name of Object.keys(value)) {
    if (issues.length >= maxIssues) return;
    path.push(name);
    const field = allowed.fields.get(name);
    if (field === undefined) issues.push(unknownField(allowed.names, name, path));
    else visit(field, (value as Record<string, unknown>)[name], path, issues);
    path.pop();
  }
}

function unknownField(names: readonly string[], name: string, path: Path): FieldIssue {
  const nearest = nearestName(name, names);
  const hint = nearest
    ? `did you mean \`${nearest}\`?`
    : names.length > 0
      ? describeAllowed('field', names)
      : 'this operation takes none';
  return { field: fieldPath(path), issue: `is not a known field; ${hint}`, code: 'unknown_field' };
}

const describeAllowed = (noun: string, names: readonly string[]): string =>
  names.length === 1
    ? `the known ${noun} is ${listed(names)}`
    : `the known ${noun}s are ${listed(names)}`;

/** `items[0].quantity`. Empty for the whole request part. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((before, step) => {
    if (typeof step === 'number') return `${before}[${step}]`;
    const name = shortened(String(step));
    return before ? `${before}.${name}` : name;
  }, '');
}

const shortened = (name: string): string =>
  name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name;

/** `a`, `b` and `c`, each in backticks. */
export function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  const last = quoted.pop();
  return quoted.length > 0 ? `${quoted.join(', ')} and ${last}` : `${last}`;
}
