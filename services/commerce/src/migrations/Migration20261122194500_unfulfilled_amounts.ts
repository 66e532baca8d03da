import { Migration } from '@mikro-orm/migrations';

export class Migration20261122194500_unfulfilled_amounts extends Migration {
  override name = 'Migration20261122194500_unfulfilled_amounts';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "commerce"."order_line" add column "unfulfilled_amount" bigint not null default '0';`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "commerce"."order_line" drop column "unfulfilled_amount";`);
  }
}
