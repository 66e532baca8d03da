import type { EntitySchema, InferEntity } from '@mikro-orm/core';

/**
 * The columns of a select list. `sql` names each like its property, and `Row` is the type of what
 * it selects.
 */
export interface Columns<Row> {
  readonly sql: string;
  /** Only a type: what a row contains. */
  readonly row?: Row;
}

/** The row that a select list returns. */
export type RowOf<Selected> = Selected extends Columns<infer Row> ? Row : never;

/**
 * The properties of an entity as columns: PostgreSQL returns null where the entity may omit a
 * value.
 */
export type Stored<Entity> = {
  [Name in Extract<keyof Entity, string>]-?: undefined extends Entity[Name]
    ? Exclude<Entity[Name], undefined> | null
    : Entity[Name];
};

type Selection<Entity> =
  | { only: readonly Extract<keyof Entity, string>[] }
  | { omit: readonly Extract<keyof Entity, string>[] };
type Selected<Entity, Chosen> = Chosen extends { only: readonly (infer Name extends string)[] }
  ? Pick<Stored<Entity>, Name & keyof Stored<Entity>>
  : Chosen extends { omit: readonly (infer Name extends string)[] }
    ? Omit<Stored<Entity>, Name>
    : Stored<Entity>;

/**
 * Returns the select list of an entity's columns for statements that name its table `alias`: all of
 * them, `only` some, or all but those that it shall `omit`. Each column is named in the entity
 * alone: a new property of the entity is selected, and its row has it. Columns that are computed
 * follow the list in the statement, with their types beside `RowOf`.
 */
export function columnsOf<
  // biome-ignore lint/suspicious/noExplicitAny: an entity of any properties.
  Schema extends EntitySchema<any>,
  const Chosen extends Selection<InferEntity<Schema>> = { omit: [] },
>(entity: Schema, alias: string, chosen?: Chosen): Columns<Selected<InferEntity<Schema>, Chosen>> {
  const names = namesOf(entity, chosen);
  return { sql: names.map((name) => `${alias}.${columnName(name)} as "${name}"`).join(', ') };
}

/** A row in JSON, where instants are strings. */
type InJson<Row> = { [Name in keyof Row]: Row[Name] extends infer V ? JsonValue<V> : never };
type JsonValue<Value> = Value extends Date ? string : Value;

/**
 * Returns the expression of one JSON object with these columns, for statements that read the rows
 * of a record's parts with the record. The choice is that of `columnsOf`.
 */
export function jsonOf<
  // biome-ignore lint/suspicious/noExplicitAny: an entity of any properties.
  Schema extends EntitySchema<any>,
  const Chosen extends Selection<InferEntity<Schema>> = { omit: [] },
>(
  entity: Schema,
  alias: string,
  chosen?: Chosen,
): Columns<InJson<Selected<InferEntity<Schema>, Chosen>>> {
  const fields = namesOf(entity, chosen).map((name) => `'${name}', ${alias}.${columnName(name)}`);
  return { sql: `json_build_object(${fields.join(', ')})` };
}

function namesOf(
  // biome-ignore lint/suspicious/noExplicitAny: an entity of any properties.
  { meta }: EntitySchema<any>,
  chosen: { only?: readonly string[]; omit?: readonly string[] } = {},
): readonly string[] {
  const all = Object.keys(meta.properties);
  const { only = all, omit = [] } = chosen;
  const unknown = [...only, ...omit].filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`${meta.name} has no column ${unknown.join()}`);
  return only.filter((name) => !omit.includes(name));
}

/** The column of a property: `priceAmount` is stored as `price_amount`. */
export const columnName = (property: string): string =>
  property.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
