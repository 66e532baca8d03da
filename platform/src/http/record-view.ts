import type { z } from 'zod';
import type { Columns } from '../db/columns.ts';

/** What a stored value may be for a field of a response: an instant is a `Date`. */
type StoredFor<Field> = Field | (string extends Field ? Date : never);

/** A row that has a value for each field of a response. */
export type RowFor<Response> = { [Field in keyof Response]: StoredFor<Response[Field]> };

/** A row as it was read, or as an entity, which may omit what is null. */
type Viewed<Row> = { [Name in keyof Row as null extends Row[Name] ? never : Name]: Row[Name] } & {
  [Name in keyof Row as null extends Row[Name] ? Name : never]?: Row[Name] | undefined;
};

/**
 * Returns the view of records that are returned as they are stored: each field of `schema` comes
 * from the column of the same name, instants in RFC 3339, and null for an absent value. Other
 * columns are not returned. It is a type error if `columns` lacks a field or has another type.
 */
export function viewOf<Schema extends z.ZodObject, Row extends RowFor<z.input<Schema>>>(
  schema: Schema,
  _columns: Columns<Row>,
): (row: Viewed<Row>) => z.input<Schema> {
  const fields = Object.keys(schema.shape);
  return (row) => {
    const values = row as Record<string, unknown>;
    const view: Record<string, unknown> = {};
    for (const field of fields) {
      const value = values[field];
      view[field] = value instanceof Date ? value.toISOString() : (value ?? null);
    }
    return view as z.input<Schema>;
  };
}
