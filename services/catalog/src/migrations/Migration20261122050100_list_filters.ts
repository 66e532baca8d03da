import { Migration } from '@mikro-orm/migrations';

export class Migration20261122050100_list_filters extends Migration {
  override name = 'Migration20261122050100_list_filters';

  override up(): void | Promise<void> {
    this.addSql(
      `create index "event_by_status" on "catalog"."event" ("business_unit_id", "status", "created_at", "id");`,
    );
    this.addSql(
      `create index "event_changes" on "catalog"."event" ("business_unit_id", "version", "id");`,
    );
    this.addSql(
      `create index "ticket_type_by_status" on "catalog"."ticket_type" ("business_unit_id", "event_id", "status", "sort_order", "created_at", "id");`,
    );
    this.addSql(
      `create index "ticket_type_changes" on "catalog"."ticket_type" ("business_unit_id", "event_id", "version", "id");`,
    );
    this.addSql(
      `create index "addon_by_status" on "catalog"."addon" ("business_unit_id", "event_id", "status", "sort_order", "created_at", "id");`,
    );
    this.addSql(
      `create index "addon_changes" on "catalog"."addon" ("business_unit_id", "event_id", "version", "id");`,
    );
    this.addSql(
      `create index "bundle_changes" on "catalog"."bundle" ("business_unit_id", "event_id", "version", "id");`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "catalog"."bundle_changes";`);
    this.addSql(`drop index "catalog"."addon_changes";`);
    this.addSql(`drop index "catalog"."addon_by_status";`);
    this.addSql(`drop index "catalog"."ticket_type_changes";`);
    this.addSql(`drop index "catalog"."ticket_type_by_status";`);
    this.addSql(`drop index "catalog"."event_changes";`);
    this.addSql(`drop index "catalog"."event_by_status";`);
  }
}
