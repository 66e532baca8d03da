import { Migration } from '@mikro-orm/migrations';
import type { Options } from '@mikro-orm/postgresql';

/** A service's options with the one migration of a release to come: what it says is done to the schema by `migrate`. */
export function nextRelease(options: Options, ...statements: string[]): Options {
  class Migration29991231000000_next extends Migration {
    override name = 'Migration29991231000000_next';
    override up(): void {
      for (const statement of statements) this.addSql(statement);
    }
  }
  const next = { name: 'Migration29991231000000_next', class: Migration29991231000000_next };
  return { ...options, migrations: { ...options.migrations, migrationsList: [next] } };
}
