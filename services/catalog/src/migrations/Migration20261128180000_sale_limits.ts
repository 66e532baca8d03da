import { Migration } from '@mikro-orm/migrations';

export class Migration20261128180000_sale_limits extends Migration {
  override name = 'Migration20261128180000_sale_limits';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "catalog"."addon" add column "capacity" int null, add column "opens_at" timestamptz(3) null, add column "closes_at" timestamptz(3) null, add column "min_per_order" int null, add column "max_per_order" int null;`,
    );
    this.addSql(
      `alter table "catalog"."addon" add constraint "addon_capacity_check" check (capacity > 0);`,
    );
    this.addSql(
      `alter table "catalog"."addon" add constraint "addon_min_per_order_check" check (min_per_order > 0);`,
    );
    this.addSql(
      `alter table "catalog"."addon" add constraint "addon_max_per_order_check" check (max_per_order >= coalesce(min_per_order, 1));`,
    );
    this.addSql(
      `alter table "catalog"."ticket_type" add column "min_per_order" int null, add column "max_per_order" int null;`,
    );
    this.addSql(
      `alter table "catalog"."ticket_type" add constraint "ticket_type_min_per_order_check" check (min_per_order > 0);`,
    );
    this.addSql(
      `alter table "catalog"."ticket_type" add constraint "ticket_type_max_per_order_check" check (max_per_order >= coalesce(min_per_order, 1));`,
    );
  }
}
