import { Migration } from '@mikro-orm/migrations';

export class Migration20261122201500_addon_recipients extends Migration {
  override name = 'Migration20261122201500_addon_recipients';

  override up(): void | Promise<void> {
    this.addSql(`alter table "commerce"."customer_order" add column "addons" jsonb null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "commerce"."customer_order" drop column "addons";`);
  }
}
