import { Migration } from '@mikro-orm/migrations';

const now = '((EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric))::bigint';

export class Migration20261122050200_list_filters extends Migration {
  override name = 'Migration20261122050200_list_filters';

  override up(): void | Promise<void> {
    // Existing rows keep 1: with the volatile default in the same step PostgreSQL would rewrite the table.
    this.addSql(
      `alter table "commerce"."customer_order" add "version" bigint not null default '1';`,
    );
    this.addSql(
      `alter table "commerce"."customer_order" alter column "version" set default ${now};`,
    );
    this.addSql(
      `create index "customer_order_by_status" on "commerce"."customer_order" ("business_unit_id", "event_id", "status", "placed_at", "id");`,
    );
    this.addSql(
      `create index customer_order_of_email on commerce.customer_order (business_unit_id, event_id, lower(email collate "C"), placed_at, id);`,
    );
    this.addSql(
      `create index "customer_order_changes" on "commerce"."customer_order" ("business_unit_id", "event_id", "version", "id");`,
    );
    this.addSql(
      `create or replace function commerce."customer_order_version_fn"() returns trigger as $$ begin if to_jsonb(old) - 'last_attempt_at' is distinct from to_jsonb(new) - 'last_attempt_at' then new.version := greatest(old.version + 1, ${now}); end if; return new; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "version" BEFORE UPDATE on "commerce"."customer_order" for each ROW execute function commerce."customer_order_version_fn"();`,
    );
    this.addSql(
      `create or replace function commerce."refund_order_version_fn"() returns trigger as $$ begin if tg_op = 'INSERT' or old.state <> new.state or old.amount <> new.amount then update commerce.customer_order set version = version + 1 where id = new.order_id; end if; return null; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "order_version" AFTER INSERT OR UPDATE on "commerce"."refund" for each ROW execute function commerce."refund_order_version_fn"();`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop trigger "order_version" on "commerce"."refund";`);
    this.addSql(`drop function commerce."refund_order_version_fn"();`);
    this.addSql(`drop trigger "version" on "commerce"."customer_order";`);
    this.addSql(`drop function commerce."customer_order_version_fn"();`);
    this.addSql(`drop index "commerce"."customer_order_changes";`);
    this.addSql(`drop index "commerce"."customer_order_of_email";`);
    this.addSql(`drop index "commerce"."customer_order_by_status";`);
    this.addSql(`alter table "commerce"."customer_order" drop column "version";`);
  }
}
