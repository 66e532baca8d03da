import { Migration } from '@mikro-orm/migrations';

/** The tables whose rows get a version. */
const tables = ['session', 'speaker', 'venue', 'exhibitor'];

export class Migration20261124060000_record_versions extends Migration {
  override name = 'Migration20261124060000_record_versions';

  override up(): void | Promise<void> {
    for (const table of tables) {
      this.addSql(
        `alter table "onsite"."${table}" add column "version" bigint not null default '1';`,
      );
    }
  }

  override down(): void | Promise<void> {
    for (const table of tables) {
      this.addSql(`alter table "onsite"."${table}" drop column "version";`);
    }
  }
}
