import { Migration } from '@mikro-orm/migrations';

export class Migration20261129121000_reconciliation extends Migration {
  override name = 'Migration20261129121000_reconciliation';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "commerce"."reconciliation" ("provider" text not null, "day" text not null, "business_unit_id" text null, "ran_at" timestamptz(3) not null, "compared" int not null, "differences" int not null, "listed" jsonb not null, primary key ("provider", "day"));`,
    );
    this.addSql(
      `create index "reconciliation_newest" on "commerce"."reconciliation" ("day", "provider");`,
    );
    this.addSql(
      `create index "reconciliation_of_unit" on "commerce"."reconciliation" ("business_unit_id", "day", "provider");`,
    );
    this.addSql(
      `create index "journal_entry_by_cause" on "commerce"."journal_entry" ("cause_id");`,
    );
    this.addSql(
      `create index refund_at_provider on commerce.refund (provider_refund_id) where provider_refund_id is not null;`,
    );
  }
}
