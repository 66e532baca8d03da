import { Migration } from '@mikro-orm/migrations';

export class Migration20261128190000_capacity_groups extends Migration {
  override name = 'Migration20261128190000_capacity_groups';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "registration"."event_projection" add column "capacity_groups" jsonb null;`,
    );
    this.addSql(
      `alter table "registration"."ticket_type_projection" add column "capacity_group_id" text null;`,
    );
  }
}
