import { Migration } from '@mikro-orm/migrations';

export class Migration20261122041000_buyer_registration extends Migration {
  override name = 'Migration20261122041000_buyer_registration';

  override up(): void | Promise<void> {
    this.addSql(`alter table "commerce"."customer_order" add "buyer_registration_id" text null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "commerce"."customer_order" drop column "buyer_registration_id";`);
  }
}
