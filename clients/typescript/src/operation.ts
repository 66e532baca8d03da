/** A parameter of the path. */
export interface Parameter {
  name: string;
  /** An id of this kind. */
  example: string;
}

/** A parameter of the query or a field of the body. */
export interface Field {
  name: string;
  /** `json` is everything that is no single value: an object, a list, a choice of types. */
  type: 'string' | 'integer' | 'number' | 'boolean' | 'json';
  isRequired: boolean;
  isNullable: boolean;
  /** The values that it can have; empty if there are many, or any. */
  values: readonly string[];
  description: string;
}

/** An operation of the API as data, for programs that choose one at run time. */
export interface Operation {
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** With the names of the parameters in braces: `/v1/events/{eventId}`. */
  url: string;
  /** Its heading in the reference. */
  group: string;
  summary: string;
  /** Markdown. Its last paragraph names the permission. */
  description: string;
  path: readonly Parameter[];
  query: readonly Field[];
  /** Null without a body. `fields` is null if the body is no object. */
  body: { isRequired: boolean; fields: readonly Field[] | null; example: object | null } | null;
  /** Whether it accepts an `Idempotency-Key`. */
  takesKey: boolean;
  /** `fields` are those that every success has, with their types. */
  success:
    | { kind: 'record'; fields: Readonly<Record<string, string>> }
    /** Pages with a `nextCursor`. The columns are the fields of its records. */
    | { kind: 'list'; fields: Readonly<Record<string, string>>; columns: readonly string[] }
    | { kind: 'file' };
}
