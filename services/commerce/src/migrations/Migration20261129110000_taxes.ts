import { Migration } from '@mikro-orm/migrations';

export class Migration20261129110000_taxes extends Migration {
  override name = 'Migration20261129110000_taxes';

  override up(): void | Promise<void> {
    for (const table of ['ticket_type', 'addon', 'bundle']) {
      this.addSql(`alter table "commerce"."${table}_projection" add column "tax_rate" jsonb null;`);
    }
    this.addSql(
      `alter table "commerce"."customer_order" add column "tax_amount" bigint not null default '0';`,
    );
    this.addSql(
      `alter table "commerce"."order_line" add column "tax_amount" bigint not null default '0', add column "taxes" jsonb not null default '[]'::jsonb;`,
    );
  }
}
