import type { Field } from '../../operation.ts';
import { type Option, UsageError } from '../command.ts';
import { optionOf } from './names.ts';

const kinds: Readonly<Record<Field['type'], string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true|false',
  json: 'JSON',
};

/** Longer choices are in the summary. */
const maxChoiceLength = 30;

/** A field as an option with its values and what they mean. */
export function fieldOption(field: Field): Option {
  const { type, values, description, isRequired, isNullable } = field;
  const choice = values.join('|');
  const isShort = choice.length <= maxChoiceLength;
  const summary = [
    isRequired && 'required',
    !isShort && `one of ${values.join(', ')}`,
    description.replaceAll(/\s+/g, ' ').replace(/\.$/, ''),
    isNullable && 'null for none',
  ];
  return {
    value: choice !== '' && isShort ? choice : kinds[type],
    summary: summary.filter(Boolean).join('; '),
  };
}

/** The value of an option as the API takes it. The API validates it. Errors: UsageError. */
export function parseValue(field: Field, text: string): unknown {
  const { type, isNullable } = field;
  if (isNullable && text === 'null') return null;
  switch (type) {
    case 'string':
      return text;
    case 'integer':
    case 'number':
      if (text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
      break;
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      break;
    case 'json':
      return parseJson(`--${optionOf(field)}`, text);
  }
  throw new UsageError(`--${optionOf(field)} is ${kinds[type]}, not ${text}`);
}

/** Errors: UsageError. */
export function parseJson(source: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${source} is not JSON: ${(error as Error).message}`);
  }
}
