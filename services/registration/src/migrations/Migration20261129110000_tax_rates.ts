import { Migration } from '@mikro-orm/migrations';

export class Migration20261129110000_tax_rates extends Migration {
  override name = 'Migration20261129110000_tax_rates';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "registration"."ticket_type_projection" add column "tax_rate_id" text null, add column "tax_rate" jsonb null;`,
    );
  }
}
