import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type { Operation } from '@event-api/contracts/operation';
import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { invalidArgument } from '../core/errors.ts';
import { allowedBodyFields, allowedFields, allowedParameters } from './allowed-fields.ts';
import { fieldPath, unknownFields, unknownParameters } from './unknown-fields.ts';

type Issue = z.core.$ZodIssue & { input?: unknown };

type UnionIssue = Pick<Issue, 'input' | 'path'> & { options?: readonly unknown[] };

/** Finds the unknown fields of a request part. */
type UnknownFinder = (data: unknown) => FieldIssue[];

/** Validates a request part by its zod schema. Ignores unknown fields. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) =>
  createValidator(schema, httpPart, () => []);

/** Validates the request parts of one operation, and rejects unknown fields and parameters. */
export function strictValidatorCompiler(operation: Operation): FastifySchemaCompiler<z.ZodType> {
  const fields = allowedBodyFields(operation);
  const parameters = allowedParameters(operation);
  const finders: Partial<Record<string, UnknownFinder>> = {
    body: (data) => unknownFields(fields, data),
    querystring: (data) => unknownParameters(parameters, data as object),
  };
  return ({ schema, httpPart }) =>
    createValidator(schema, httpPart, finders[httpPart ?? ''] ?? (() => []));
}

function createValidator(schema: z.ZodType, httpPart: string | undefined, find: UnknownFinder) {
  const isOptional = httpPart === 'body' && schema.safeParse(undefined).success;
  const part = httpPart === 'body' ? 'body' : 'query';
  const requirements = httpPart === 'body' && !isOptional ? requirementsOf(schema) : [];
  return (data: unknown) => {
    if (data === null && requirements.length > 0) return { error: invalidArgument(requirements) };
    // Fastify passes null if there is no body; the parser has already rejected `null` itself.
    const value = data === null && isOptional ? undefined : data;
    const validated = validate(schema, part, find, value);
    return 'issues' in validated ? { error: invalidArgument(validated.issues) } : validated;
  };
}

/** What a body that is missing lacks: its required fields. */
function requirementsOf(schema: z.ZodType): FieldIssue[] {
  const { error } = schema.safeParse({}, { reportInput: true });
  return (error?.issues ?? []).flatMap((issue) => {
    const described = fieldIssue(issue, 'body');
    return issue.path.length > 0 && described.code === 'required' ? [described] : [];
  });
}

type Validated<Value> = { value: Value } | { issues: FieldIssue[] };

function validate<Schema extends z.ZodType>(
  schema: Schema,
  part: string,
  find: UnknownFinder,
  value: unknown,
): Validated<z.output<Schema>> {
  const parsed = schema.safeParse(value, { reportInput: true });
  // An array that is too long can have 500,000 elements: it is not searched for unknown fields.
  const unknown = parsed.error?.issues.some(isTooLongArray) ? [] : find(value);
  if (parsed.success && unknown.length === 0) return { value: parsed.data };
  const found = parsed.error?.issues ?? [];
  // A misspelt field is also missing under its own name: report it once.
  const reported = unknown.length > 0 ? found.filter((one) => !isRequirement(one)) : found;
  const issues = reported.map((issue) =>
    part === 'query' && Array.isArray(issue.input)
      ? { ...fieldIssue(issue, part), issue: 'must be sent once' }
      : fieldIssue(issue, part),
  );
  return { issues: [...unknown, ...dedupeIssues(issues)] };
}

/**
 * Validates a part of a body on its own, as a strict operation validates a whole body. For bodies
 * in which a wrong part must not reject the others. `whole` names the part if an issue concerns all
 * of it.
 */
export function createPartValidator<Schema extends z.ZodType>(
  schema: Schema,
  whole: string,
): (value: unknown) => Validated<z.output<Schema>> {
  const fields = allowedFields(schema);
  return (value) => validate(schema, whole, (data) => unknownFields(fields, data), value);
}

/** Whether a field is missing that other fields require; `requireField` reports these. */
const isRequirement = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'custom' && issue.params?.code === 'required';

const isTooLongArray = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'too_big' && issue.origin === 'array';

/**
 * A number beyond the safe integers also exceeds the bound of its field: report only the latter.
 */
function dedupeIssues(issues: readonly FieldIssue[]): FieldIssue[] {
  return [...new Map(issues.map((one) => [`${one.field} ${one.code}`, one])).values()];
}

/**
 * A zod issue as the API's message. `whole` names the request part if the issue concerns all of it.
 */
export function fieldIssue(issue: Issue, whole: string): FieldIssue {
  return { field: fieldPath(issue.path) || whole, ...describeIssue(issue) };
}

function describeIssue(issue: Issue): { issue: string; code: string } {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return { issue: 'is required', code: 'required' };
      return { issue: `must be ${withArticle(issue.expected)}`, code: 'invalid_type' };
    case 'too_small':
      return { issue: bound('at least', issue.origin, Number(issue.minimum)), code: 'too_small' };
    case 'too_big':
      return { issue: bound('at most', issue.origin, Number(issue.maximum)), code: 'too_big' };
    case 'invalid_value':
      if (issue.input === undefined) return { issue: 'is required', code: 'required' };
      return { issue: valueWording(issue.values, issue.message), code: 'invalid_value' };
    case 'invalid_union':
      return unionWording(issue);
    case 'invalid_format':
      return { issue: formatWording(issue.format, issue.message), code: 'invalid_format' };
    case 'custom':
      return {
        issue: issue.message === 'Invalid input' ? 'is not valid' : issue.message,
        code: isRequirement(issue) ? 'required' : 'invalid_value',
      };
    default:
      return { issue: 'is not valid', code: 'invalid_value' };
  }
}

const articles: Record<string, string> = {
  int: 'an integer',
  object: 'a JSON object',
  record: 'a JSON object',
  array: 'an array',
};

const withArticle = (type: string): string => articles[type] ?? `a ${type}`;

function bound(word: string, origin: string, limit: number): string {
  if (origin === 'string') {
    if (word === 'at least' && limit === 1) return 'must not be blank';
    return `must have ${word} ${limit} ${limit === 1 ? 'character' : 'characters'}`;
  }
  if (origin === 'array') return `must have ${word} ${limit} ${limit === 1 ? 'entry' : 'entries'}`;
  return `must be ${word} ${limit}`;
}

/** The message of the schema if it begins with "must". */
function valueWording(values: readonly unknown[], message: string): string {
  if (message.startsWith('must ')) return message;
  return values.length <= 10
    ? `must be one of ${values.join(', ')}`
    : 'is not one of the known values';
}

/** The path of a discriminated union ends in its discriminator. */
function unionWording({ input, path, options }: UnionIssue): { issue: string; code: string } {
  const field = path.at(-1);
  if (!options?.length || field === undefined) {
    return { issue: 'is not valid', code: 'invalid_value' };
  }
  const isMissing = (input as Record<PropertyKey, unknown>)[field] === undefined;
  const choice = `must be one of ${options.join(', ')}`;
  return isMissing
    ? { issue: `is required; it ${choice}`, code: 'required' }
    : { issue: choice, code: 'invalid_value' };
}

function formatWording(format: string, own: string): string {
  if (own.startsWith('must ')) return own;
  if (format === 'datetime')
    return 'must be an ISO 8601 date-time with an offset, such as 2027-05-10T09:00:00Z';
  if (format === 'email') return 'must be an email address';
  return 'has an invalid format';
}
