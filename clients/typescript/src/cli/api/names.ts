import type { Field, Operation } from '../../operation.ts';

const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter, at) => `${at === 0 ? '' : '-'}${letter.toLowerCase()}`);

/** The words of an operation: `createTicketType` is `create ticket-type`. */
export function commandName({ id }: Pick<Operation, 'id'>): string {
  const [, verb = id, resource = ''] = /^([a-z]+(?:Up)?)(.*)$/.exec(id) ?? [];
  return `${kebab(verb)} ${kebab(resource)}`;
}

export const verbOf = (operation: Pick<Operation, 'id'>): string =>
  commandName(operation).split(' ')[0] ?? '';

export const optionOf = ({ name }: Pick<Field, 'name'>): string => kebab(name);

/** The parameters of the path as words of the command. `id` gets the name of its record. */
export const wordsOf = ({ url, path }: Pick<Operation, 'url' | 'path'>): string[] =>
  path.map(({ name }) => {
    if (name !== 'id') return kebab(name).replaceAll('-', ' ');
    const [, records = ''] = /([^/]+)\/\{id\}/.exec(url) ?? [];
    return `${records.replace(/s$/, '')} id`;
  });

/**
 * The description for a terminal. Its last paragraph names the permission. One that no key has is
 * that of a token or code, which takes the place of the key.
 */
export function paragraphsOf({ description }: Pick<Operation, 'description'>): string[] {
  const paragraphs = description.replaceAll('**', '').split('\n\n');
  const isOfToken = /, which only .* have\.$/.test(paragraphs.at(-1) ?? '');
  return isOfToken
    ? [...paragraphs, 'EVENT_API_KEY is sent as the bearer: set it to the token or code.']
    : paragraphs;
}

/**
 * What of the command line a field of the API comes from: `items[0].quantity` from `--items`, a
 * parameter of the path from its word.
 */
export function sourceOf(operation: Operation, field: string): string | undefined {
  const [root = ''] = field.split(/[.[]/);
  if (root === 'body') return '--data';
  if (root.toLowerCase() === 'idempotency-key') return '--key';
  const at = operation.path.findIndex(({ name }) => name === root);
  if (at >= 0) return `<${wordsOf(operation)[at]}>`;
  const fields = [...operation.query, ...(operation.body?.fields ?? [])];
  const source = fields.find(({ name }) => name === root);
  return source && `--${optionOf(source)}`;
}
