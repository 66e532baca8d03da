import { Migration } from '@mikro-orm/migrations';

export class Migration20261122044000_refund_lists extends Migration {
  override name = 'Migration20261122044000_refund_lists';

  override up(): void | Promise<void> {
    this.addSql(
      `create index "refund_newest_of_unit" on "commerce"."refund" ("business_unit_id", "created_at", "id");`,
    );
    this.addSql(`create index "refund_newest_of_all" on "commerce"."refund" ("created_at", "id");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "commerce"."refund_newest_of_unit";`);
    this.addSql(`drop index "commerce"."refund_newest_of_all";`);
  }
}
