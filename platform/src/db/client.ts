import pg from 'pg';
import { traceStatement } from './trace-statement.ts';

/**
 * A connection of a service: the client of pg, whose statements have spans. The pool creates it,
 * because its options name it as `Client`.
 */
export class ServiceClient extends pg.Client {
  /** `never` fits the results of all overloads of pg. */
  override query(...args: unknown[]): never {
    return traceStatement(args[0], () => super.query(...(args as [string]))) as never;
  }
}
