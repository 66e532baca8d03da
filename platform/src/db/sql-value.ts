import { raw } from '@mikro-orm/core';

/** A value of a column that the server computes when the entity is written, such as its clock. */
export const sqlValue = <Value>(sql: string): Value => raw<Value>(sql);
