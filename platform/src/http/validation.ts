import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { invalidArgument } from '../errors.ts';

type Issue = z.core.$ZodIssue & { input?: unknown };

/** Judges a request part by its zod schema and hands the parsed value on. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const mayBeLeftOut = httpPart === 'body' && schema.safeParse(undefined).success;
  return (data) => {
    // Fastify says null where there is no body; a body that is null has been refused before.
    const given = data === null && mayBeLeftOut ? undefined : data;
    const parsed = schema.safeParse(given, { reportInput: true });
    if (parsed.success) return { value: parsed.data };
    const part = httpPart === 'body' ? 'body' : 'query';
    const issues = parsed.error.issues.map((issue) =>
      part === 'query' && Array.isArray(issue.input)
        ? { ...fieldIssue(issue, part), issue: 'must be given once' }
        : fieldIssue(issue, part),
    );
    return { error: invalidArgument(lastOfEach(issues)) };
  };
};

/** A number beyond what JavaScript can count is beyond the field's own bound, too: only that is told. */
function lastOfEach(issues: readonly FieldIssue[]): FieldIssue[] {
  return [...new Map(issues.map((one) => [`${one.field} ${one.code}`, one])).values()];
}

/** A zod issue in the API's words. `whole` names the part when the issue is about all of it. */
export function fieldIssue(issue: Issue, whole: string): FieldIssue {
  const field = issue.path.reduce<string>(
    (path, key) =>
      typeof key === 'number' ? `${path}[${key}]` : path ? `${path}.${String(key)}` : String(key),
    '',
  );
  return { field: field || whole, ...wording(issue) };
}

function wording(issue: Issue): { issue: string; code: string } {
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
      return { issue: valueWording(issue.values), code: 'invalid_value' };
    case 'invalid_format':
      return { issue: formatWording(issue.format, issue.message), code: 'invalid_format' };
    case 'custom':
      return {
        issue: issue.message === 'Invalid input' ? 'is not valid' : issue.message,
        code: 'invalid_value',
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
    return `must have ${word} ${limit} characters`;
  }
  if (origin === 'array') return `must have ${word} ${limit} ${limit === 1 ? 'entry' : 'entries'}`;
  return `must be ${word} ${limit}`;
}

const valueWording = (values: readonly unknown[]): string =>
  values.length <= 10 ? `must be one of ${values.join(', ')}` : 'is not one of the known values';

function formatWording(format: string, own: string): string {
  if (own.startsWith('must ')) return own;
  if (format === 'datetime')
    return 'must be an RFC 3339 date-time with an offset, such as 2027-05-10T09:00:00Z';
  if (format === 'email') return 'must be an email address';
  return 'has the wrong format';
}
