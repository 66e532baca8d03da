import { Migration } from '@mikro-orm/migrations';

export class Migration20261122224500_origins extends Migration {
  override name = 'Migration20261122224500_origins';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "catalog"."projection_checkpoint" add column "origins" jsonb not null default '{}';`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "catalog"."projection_checkpoint" drop column "origins";`);
  }
}
