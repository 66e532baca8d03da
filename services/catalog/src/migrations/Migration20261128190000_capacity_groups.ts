import { Migration } from '@mikro-orm/migrations';

export class Migration20261128190000_capacity_groups extends Migration {
  override name = 'Migration20261128190000_capacity_groups';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "catalog"."event" add column "capacity_groups" jsonb not null default '[]';`,
    );
    this.addSql(`alter table "catalog"."ticket_type" add column "capacity_group_id" text null;`);
    this.addSql(
      `create index "ticket_type_of_group" on "catalog"."ticket_type" ("capacity_group_id");`,
    );
  }
}
