import { Migration } from '@mikro-orm/migrations';

export class Migration20261128031413_registrations extends Migration {
  override name = 'Migration20261128031413_registrations';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "commerce"."registration_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "status" text not null, "order_id" text null, primary key ("id"));`,
    );
    this.addSql(
      `create index registration_projection_ended on commerce.registration_projection (business_unit_id collate "C", event_id collate "C", order_id) where order_id is not null and status in ('cancelled', 'rejected');`,
    );
  }
}
