import { Migration } from '@mikro-orm/migrations';

export class Migration20261124223000_code_batches extends Migration {
  override name = 'Migration20261124223000_code_batches';

  override up(): void | Promise<void> {
    this.addSql(`alter table "registration"."redemption_code" add "batch_id" text null;`);
    this.addSql(
      `create index "redemption_code_of_batch" on "registration"."redemption_code" ("business_unit_id", "event_id", "batch_id", "insertion_order");`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "registration"."redemption_code_of_batch";`);
    this.addSql(`alter table "registration"."redemption_code" drop column "batch_id";`);
  }
}
