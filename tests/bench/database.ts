import { type Database, openDatabase } from '@event-api/platform/db/database';
import { ormOptions } from '@event-api/platform/db/migrations';

/** Opens connections for statements of a bench, without entities and migrations. */
export const openBenchDatabase = (
  url: string,
  schema: string,
  poolMax: number,
): Promise<Database> =>
  openDatabase(
    ormOptions({ url, schema, entities: [], migrations: new URL('./none', import.meta.url) }),
    poolMax,
  );
