import { Migration } from '@mikro-orm/migrations';

export class Migration20261129111000_billing extends Migration {
  override name = 'Migration20261129111000_billing';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "commerce"."event_projection" add column "attendance_mode" text null, add column "country" text null;`,
    );
    this.addSql(
      `alter table "commerce"."customer_order" add column "billing" jsonb null, add column "is_reverse_charge" boolean not null default false;`,
    );
  }
}
