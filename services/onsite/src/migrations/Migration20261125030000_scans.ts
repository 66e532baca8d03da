import { Migration } from '@mikro-orm/migrations';

export class Migration20261125030000_scans extends Migration {
  override name = 'Migration20261125030000_scans';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "onsite"."scan" ("event_id" text not null, "scan_id" text not null, "business_unit_id" text not null, "source" text not null, "identity" text not null, "subject_type" text not null, "subject_id" text not null, "decision" text not null, "scanned_at" timestamptz(3) not null, "occurred_at" timestamptz(3) not null, "roster_cursor" text null, "result" jsonb null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("event_id", "scan_id"));`,
    );
    this.addSql(`create index "scan_by_age" on "onsite"."scan" ("created_at");`);
    this.addSql(
      `create table "onsite"."scan_count" ("event_id" text not null, "subject_type" text not null, "subject_id" text not null, "part" smallint not null, "business_unit_id" text not null, "contested" int not null, "refused" int not null, primary key ("event_id", "subject_type", "subject_id", "part"));`,
    );
    this.addSql(
      `create table "onsite"."deleted_door" ("subject_type" text not null, "subject_id" text not null, "business_unit_id" text not null, "event_id" text not null, primary key ("subject_type", "subject_id"));`,
    );
    for (const table of ['scan', 'scan_count', 'deleted_door']) {
      this.addSql(
        `alter table "onsite"."${table}" add constraint "${table}_subject_type_check" check ("subject_type" in ('event', 'session', 'venue'));`,
      );
    }
    this.addSql(
      `alter table "onsite"."scan" add constraint "scan_decision_check" check ("decision" in ('admitted', 'refused'));`,
    );
    this.addSql(
      `alter table "onsite"."checkin" add column "source" text null, add column "scan_id" text null, add column "clock_uncertainty_ms" int not null default 0;`,
    );
    this.addSql(
      `create index "checkin_of_registration" on "onsite"."checkin" ("registration_id", "subject_type", "subject_id");`,
    );
    this.addSql(
      `alter table "onsite"."checkin_count" add column "overruled" int not null default 0;`,
    );
    // Rows are written in one order, so that two statements cannot deadlock.
    this.addSql(
      `create or replace function onsite.checkin_count_fn() returns trigger as $$ begin
         insert into onsite.checkin_count as k (event_id, subject_type, subject_id, part, business_unit_id, checked_in, overruled, last_checkin_at)
         select event_id, subject_type, subject_id, pg_backend_pid() % 16, business_unit_id, count(*), count(*) filter (where overruled), max(checked_in_at) from inserted
         group by event_id, subject_type, subject_id, business_unit_id order by event_id, subject_type, subject_id
         on conflict (event_id, subject_type, subject_id, part) do update
         set checked_in = k.checked_in + excluded.checked_in, overruled = k.overruled + excluded.overruled, last_checkin_at = greatest(k.last_checkin_at, excluded.last_checkin_at);
         return null;
       end; $$ language plpgsql;`,
    );
    this.addSql(
      `create function onsite.remember_deleted_fn() returns trigger as $$ begin
         insert into onsite.deleted_door (subject_type, subject_id, business_unit_id, event_id)
         values (tg_table_name, old.id, old.business_unit_id, old.event_id) on conflict do nothing;
         return null;
       end; $$ language plpgsql;`,
    );
    for (const table of ['session', 'venue']) {
      this.addSql(
        `create trigger remember_deleted after delete on onsite.${table} for each row execute function onsite.remember_deleted_fn();`,
      );
    }
  }

  override down(): void | Promise<void> {
    for (const table of ['session', 'venue']) {
      this.addSql(`drop trigger if exists remember_deleted on onsite.${table};`);
    }
    this.addSql(`drop function if exists onsite.remember_deleted_fn();`);
    this.addSql(
      `create or replace function onsite.checkin_count_fn() returns trigger as $$ begin
         insert into onsite.checkin_count as k (event_id, subject_type, subject_id, part, business_unit_id, checked_in, last_checkin_at)
         select event_id, subject_type, subject_id, pg_backend_pid() % 16, business_unit_id, count(*), max(checked_in_at) from inserted
         group by event_id, subject_type, subject_id, business_unit_id order by event_id, subject_type, subject_id
         on conflict (event_id, subject_type, subject_id, part) do update
         set checked_in = k.checked_in + excluded.checked_in, last_checkin_at = greatest(k.last_checkin_at, excluded.last_checkin_at);
         return null;
       end; $$ language plpgsql;`,
    );
    this.addSql(`alter table "onsite"."checkin_count" drop column "overruled";`);
    this.addSql(`drop index "onsite"."checkin_of_registration";`);
    this.addSql(
      `alter table "onsite"."checkin" drop column "source", drop column "scan_id", drop column "clock_uncertainty_ms";`,
    );
    for (const table of ['scan', 'scan_count', 'deleted_door']) {
      this.addSql(`drop table if exists "onsite"."${table}" cascade;`);
    }
  }
}
