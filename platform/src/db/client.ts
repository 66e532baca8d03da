import pg from 'pg';
import { shareWrite } from './share-write.ts';
import { traceStatement } from './trace-statement.ts';

/** A connection of a service. The pool creates it, because the settings name it as `Client`. */
export class ServiceClient extends pg.Client {
  /** The only place that changes what pg does with a statement. `never` fits all its overloads. */
  override query(...args: unknown[]): never {
    shareWrite(this.connection.stream);
    return traceStatement(args[0], () => super.query(...(args as [string]))) as never;
  }
}
