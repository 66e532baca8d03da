import { Migration } from '@mikro-orm/migrations';
import type { Options } from '@mikro-orm/postgresql';
import { ormOptions } from '../src/db/migrations.ts';

/**
 * Options of `migrate` that apply these statements to a schema, as a future release would; `url` is
 * that of the owner.
 */
export function nextRelease(
  { url, schema }: { url: string; schema: string },
  ...statements: string[]
): Options {
  class Migration29991231000000_next extends Migration {
    override name = 'Migration29991231000000_next';
    override up(): void {
      for (const statement of statements) this.addSql(statement);
    }
  }
  const migrationsList = [
    { name: 'Migration29991231000000_next', class: Migration29991231000000_next },
  ];
  const options = ormOptions({ url, schema, entities: [], migrations: new URL(import.meta.url) });
  return { ...options, migrations: { ...options.migrations, migrationsList } };
}
