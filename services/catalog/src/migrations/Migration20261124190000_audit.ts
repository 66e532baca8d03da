import { Migration } from '@mikro-orm/migrations';

export class Migration20261124190000_audit extends Migration {
  override name = 'Migration20261124190000_audit';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "catalog"."audit_entry" ("id" text not null, "at" timestamptz(3) not null default clock_timestamp(), "business_unit_id" text null, "event_id" text null, "actor_type" text not null, "actor_id" text null, "operation" text not null, "records" text[] not null, "fields" text[] not null, "result" text not null, "reason" text null, "request_id" text not null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "catalog"."audit_entry" add constraint "audit_entry_actor_type_check" check ("actor_type" in ('key', 'operator', 'cli', 'system', 'device'));`,
    );
    this.addSql(
      `alter table "catalog"."audit_entry" add constraint "audit_entry_result_check" check ("result" in ('done', 'unchanged', 'refused', 'started'));`,
    );
    this.addSql(
      `create index audit_entry_newest on catalog.audit_entry (timezone('UTC', at), id);`,
    );
    this.addSql(
      `create index "audit_entry_of_unit" on "catalog"."audit_entry" ("business_unit_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_event" on "catalog"."audit_entry" ("business_unit_id", "event_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_actor" on "catalog"."audit_entry" ("business_unit_id", "actor_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_record" on "catalog"."audit_entry" using gin ("records");`,
    );
    // The role has the default privileges of new tables. Databases of tests have no roles.
    this.addSql(
      `do $$ begin if exists (select from pg_roles where rolname = 'catalog_app') then revoke update, delete on "catalog"."audit_entry" from catalog_app; end if; end $$;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "catalog"."audit_entry" cascade;`);
  }
}
