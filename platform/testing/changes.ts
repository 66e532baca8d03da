import {
  ChangeBody,
  type ChangeObjectType,
  type ChangeType,
  changeTypes,
  objectTypeOf,
} from '@event-api/contracts/changes';
import type { TestDatabase } from './database.ts';

/**
 * The changes of a service that have no number yet, in their order; of these objects, or of all.
 */
export async function writtenChanges(
  { sql }: Pick<TestDatabase, 'sql'>,
  schema: string,
  objectIds?: readonly string[],
): Promise<ChangeBody[]> {
  const rows = await sql<{ body: string }>(
    `select body from ${schema}.change_inbox order by position`,
  );
  const changes = rows.map(({ body }) => ChangeBody.parse(JSON.parse(body)));
  return changes.filter(({ object }) => objectIds?.includes(object.id) ?? true);
}

/** All types of changes of these kinds of objects, in alphabetical order. */
export const changeTypesOf = (...objects: readonly ChangeObjectType[]): ChangeType[] =>
  changeTypes.filter((type) => objects.includes(objectTypeOf(type))).toSorted();

/** The types of these changes, each once and in alphabetical order. */
export const typesOf = (changes: readonly ChangeBody[]): ChangeType[] =>
  [...new Set(changes.map(({ type }) => type))].toSorted();
