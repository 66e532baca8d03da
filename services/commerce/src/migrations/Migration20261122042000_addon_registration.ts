import { Migration } from '@mikro-orm/migrations';

export class Migration20261122042000_addon_registration extends Migration {
  override name = 'Migration20261122042000_addon_registration';

  override up(): void | Promise<void> {
    this.addSql(`alter table "commerce"."customer_order" add "addon_registration_id" text null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "commerce"."customer_order" drop column "addon_registration_id";`);
  }
}
