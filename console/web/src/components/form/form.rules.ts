import { withFieldWords } from '../../format/field-words.ts';
import { isInstant, isUsableDate } from '../../format/time.ts';
import { formText } from '../../text/forms.ts';

/** What a value must satisfy, in the words of JSON Schema. */
export interface FieldRules {
  required?: boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
  minItems?: number;
  maxItems?: number;
  isInteger?: boolean;
  /** Each line of the text is an entry of its own. */
  hasUniqueLines?: boolean;
}

const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$|^[^\s@]+@localhost$/;

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/**
 * The problem with a value, or null. The server applies these rules and more; this only saves a
 * request. `isUnreadable` says that the control shows something that the browser cannot read, such
 * as a date without a year. The browser reports it as empty, and it must not be stored as "none".
 */
export function decideIssue(
  value: unknown,
  rules: FieldRules,
  isUnreadable = false,
): string | null {
  if (isUnreadable) return unreadableIssue(rules);
  if (isEmpty(value)) return rules.required ? formText.required : null;
  if (typeof value === 'string') {
    return textIssue(value.trim(), rules) ?? (rules.hasUniqueLines ? repeatIssue(value) : null);
  }
  if (typeof value === 'number') return numberIssue(value, rules);
  if (Array.isArray(value)) return listIssue(value, rules);
  return null;
}

function unreadableIssue({ format, isInteger }: FieldRules): string {
  if (format === 'date-time') return formText.time;
  if (format === 'date') return formText.date;
  if (format === 'email') return formText.email;
  return isInteger ? formText.wholeNumber : formText.number;
}

function textIssue(text: string, rules: FieldRules): string | null {
  const length = [...text].length;
  if (rules.maxLength !== undefined && length > rules.maxLength) {
    return formText.tooLong(rules.maxLength);
  }
  if (rules.minLength !== undefined && length < rules.minLength) {
    return formText.tooShort(rules.minLength);
  }
  if (rules.format === 'email' && !emailPattern.test(text)) return formText.email;
  if (rules.format === 'uri' && !URL.canParse(text)) return formText.url;
  if (rules.format === 'date-time' && !(isInstant(text) && isUsableDate(text)))
    return formText.time;
  if (rules.format === 'date' && !isUsableDate(text)) return formText.date;
  if (rules.pattern !== undefined && !matches(text, rules.pattern)) return formText.pattern;
  return null;
}

/**
 * Names the first line that repeats an earlier one, by its place in the field. Empty lines count as
 * places only.
 */
function repeatIssue(text: string): string | null {
  const lines = text.split('\n').map((line) => line.trim());
  const index = lines.findIndex((line, place) => line !== '' && lines.indexOf(line) < place);
  return index < 0 ? null : formText.repeatedLine(index + 1, lines[index] ?? '');
}

function matches(text: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    // A pattern that the browser cannot read is left to the server.
    return true;
  }
}

function numberIssue(value: number, rules: FieldRules): string | null {
  if (Number.isNaN(value)) return rules.isInteger ? formText.wholeNumber : formText.number;
  if (rules.isInteger && !Number.isInteger(value)) return formText.wholeNumber;
  if (rules.minimum !== undefined && value < rules.minimum) return formText.atLeast(rules.minimum);
  if (rules.maximum !== undefined && value > rules.maximum) return formText.atMost(rules.maximum);
  return null;
}

function listIssue(value: readonly unknown[], rules: FieldRules): string | null {
  if (rules.required && rules.minItems === undefined && value.length === 0) return null;
  if (rules.minItems !== undefined && value.length < rules.minItems) {
    return formText.tooFew(rules.minItems);
  }
  if (rules.maxItems !== undefined && value.length > rules.maxItems) {
    return formText.tooMany(rules.maxItems);
  }
  return null;
}

/** The top-level fields of `after` that differ from `before`. */
export function changedFields<Values extends object>(
  before: Values,
  after: Values,
): Partial<Values> {
  const isChanged = (name: string) =>
    JSON.stringify(before[name as keyof Values]) !== JSON.stringify(after[name as keyof Values]);
  return Object.fromEntries(
    Object.entries(after).filter(([name]) => isChanged(name)),
  ) as Partial<Values>;
}

/**
 * The field of a form for a path of the server: the field itself, the nearest one around it, or the
 * first one inside it.
 */
export function nearestField(path: string, fields: Iterable<string>): string | null {
  const names = [...fields];
  for (let outer = path; outer !== ''; outer = outer.replace(/(^|\.)[^.[]*$|\[[^[]*$/, '')) {
    if (names.includes(outer)) return outer;
  }
  return names.find((name) => name.startsWith(`${path}.`) || name.startsWith(`${path}[`)) ?? null;
}

/**
 * The problems that the server has found, by the field of the form that shows them. Their texts use
 * the labels of the form. A problem without a field keeps its path.
 */
export function placeIssues(
  issues: readonly { field: string; issue: string }[],
  labels: ReadonlyMap<string, string>,
): Map<string, string> {
  const placed = new Map<string, string>();
  for (const { field: path, issue } of issues) {
    const field = nearestField(path, labels.keys()) ?? path;
    const entry = path.startsWith(field) ? /^\[(\d+)\]/.exec(path.slice(field.length))?.[1] : null;
    const words = withFieldWords(issue, labels);
    const text = entry ? `${formText.entry(Number(entry) + 1)} ${words}` : words;
    placed.set(field, placed.has(field) ? `${placed.get(field)}; ${text}` : text);
  }
  return placed;
}
