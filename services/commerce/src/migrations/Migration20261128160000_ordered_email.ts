import { Migration } from '@mikro-orm/migrations';

export class Migration20261128160000_ordered_email extends Migration {
  override name = 'Migration20261128160000_ordered_email';

  override up(): void | Promise<void> {
    this.addSql(`alter table "commerce"."customer_order" add column "ordered_email" text null;`);
  }
}
