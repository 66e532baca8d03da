import type { Operation } from '../../operation.ts';
import { commandName, optionOf } from './names.ts';

/** So many fields of the example of a POST are shown whole: one may require the other. */
const maxWhole = 2;

/**
 * A command line with the words of the path, as the beginnings of their ids, and what the operation
 * requires; of an update the first field of the example.
 */
export function exampleOf(operation: Operation): string {
  const { path, query, body, success } = operation;
  const words = path.map(({ example }) => example.replace(/(?<=_).*/, '…'));
  const required = query.filter(({ isRequired }) => isRequired);
  const options = required.map((field) => `--${optionOf(field)} …`);
  if (success.kind === 'file') options.push('--output file');
  if (body) options.push(...bodyOptions(body, operation.method));
  return [commandName(operation), ...words, ...options].join(' ');
}

function bodyOptions(
  { fields, example, isRequired }: NonNullable<Operation['body']>,
  method: Operation['method'],
): string[] {
  if (fields === null) return [`--data ${quote(short(example))}`];
  const values = Object.entries(example ?? {}).flatMap(([name, value]) => {
    const field = fields.find((one) => one.name === name);
    const isEmpty = Array.isArray(value) && value.length === 0;
    return field && !isEmpty ? { field, text: `--${optionOf(field)} ${quote(short(value))}` } : [];
  });
  if (method === 'POST' && isRequired && values.length <= maxWhole) {
    return values.map(({ text }) => text);
  }
  const needed = values.filter(({ field }) => field.isRequired);
  const shown = needed.length > 0 || !isRequired ? needed : values.slice(0, 1);
  return shown.map(({ text }) => text);
}

/** A list with its first entry only. */
const short = (value: unknown): unknown => (Array.isArray(value) ? value.slice(0, 1) : value);

/** A word of a shell. */
function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
