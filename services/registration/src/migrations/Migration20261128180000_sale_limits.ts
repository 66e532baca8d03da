import { Migration } from '@mikro-orm/migrations';

export class Migration20261128180000_sale_limits extends Migration {
  override name = 'Migration20261128180000_sale_limits';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "registration"."addon_projection" add column "capacity" int null, add column "opens_at" timestamptz(3) null, add column "closes_at" timestamptz(3) null, add column "min_per_order" int null, add column "max_per_order" int null;`,
    );
    this.addSql(
      `alter table "registration"."ticket_type_projection" add column "min_per_order" int null, add column "max_per_order" int null;`,
    );
    this.addSql(
      `alter table "registration"."registration_addon" add column "quantity" int not null default 1;`,
    );
    this.addSql(
      `alter table "registration"."registration_addon" add constraint "registration_addon_quantity_check" check (quantity > 0);`,
    );
    this.addSql(
      `insert into "registration"."seat_ledger" (ticket_type_id, business_unit_id, event_id, confirmed, version)
       select a.addon_id, r.business_unit_id, r.event_id, sum(a.quantity), (extract(epoch from clock_timestamp()) * 1000000)::bigint
       from "registration"."registration_addon" a join "registration"."registration" r on r.id = a.registration_id
       where r.active_email is not null group by 1, 2, 3 on conflict do nothing;`,
    );
  }
}
