import { join } from 'node:path';
import { apiProcessNames, type ProcessName, processNames } from '@event-api/contracts/topology';
import { ownServerFolder, ownServerName } from '@event-api/local-servers/postgres';

/** Whether each process has a PostgreSQL server of its own, unless a drill says so itself. */
export const hasServerPerProcess = process.env.DATABASES === 'each';

/** A PostgreSQL server of the drill. */
export interface PostgresServer {
  /** Its name among the processes. */
  program: string;
  /** The process whose server it is; undefined for the shared one. */
  process: ProcessName | undefined;
  /** The directory of its data. */
  data: string;
}

/** The PostgreSQL servers of a platform in this folder. */
export const postgresServersIn = (dataDir: string, isPerProcess: boolean): PostgresServer[] =>
  isPerProcess
    ? processNames.map((name) => ({
        program: ownServerName(name),
        process: name,
        data: join(ownServerFolder(dataDir, name), 'postgres'),
      }))
    : [{ program: 'postgres', process: undefined, data: join(dataDir, 'postgres') }];

/** The processes that a drill starts, each with its server. */
export const ownServers = apiProcessNames.map((name) => ({ name, program: ownServerName(name) }));
