import { Migration } from '@mikro-orm/migrations';

export class Migration20261122193500_registration_orders extends Migration {
  override name = 'Migration20261122193500_registration_orders';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "registration"."registration_order" ("registration_id" text not null, "order_id" text not null, "business_unit_id" text not null, primary key ("registration_id", "order_id"));`,
    );
    this.addSql(
      `create index "registration_order_of_order" on "registration"."registration_order" ("order_id");`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "registration"."registration_order" cascade;`);
  }
}
