import { Migration } from '@mikro-orm/migrations';

const content =
  'business_unit_id, event_id, name, status, checkin_code, replaced_checkin_codes, ticket_type_id, addon_ids, redemption_code_id, granted_perk_ids';
const of = (row: string) => content.replaceAll(/\w+/g, (column) => `${row}.${column}`);

/**
 * In a transaction of the projector, what it advances to; in any other one, after the checkpoint,
 * which waits for the commit.
 */
const readChangedSeq = `changed_at := nullif(current_setting('onsite.changed_seq', true), '')::bigint;
         if changed_at is null then
           select seq + 1 into changed_at from onsite.projection_checkpoint where name = 'projections' for share;
         end if;
         changed_at := coalesce(changed_at, 1);`;

export class Migration20261127200000_initial extends Migration {
  override name = 'Migration20261127200000_initial';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "onsite";`);
    this.addSql(
      `create table "onsite"."audit_entry" ("id" text not null, "at" timestamptz(3) not null default clock_timestamp(), "business_unit_id" text null, "event_id" text null, "actor_type" text not null, "actor_id" text null, "operation" text not null, "records" text[] not null, "fields" text[] not null, "result" text not null, "reason" text null, "request_id" text not null, primary key ("id"));`,
    );
    this.addSql(`create index audit_entry_newest on onsite.audit_entry (timezone('UTC', at), id);`);
    this.addSql(
      `create index "audit_entry_of_unit" on "onsite"."audit_entry" ("business_unit_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_event" on "onsite"."audit_entry" ("business_unit_id", "event_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_actor" on "onsite"."audit_entry" ("business_unit_id", "actor_id", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_operation" on "onsite"."audit_entry" ("business_unit_id", "operation", "at", "id");`,
    );
    this.addSql(
      `create index "audit_entry_of_record" on "onsite"."audit_entry" using gin ("records");`,
    );

    this.addSql(
      `create table "onsite"."booth" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "exhibitor_id" text not null, "number" text not null, "type" text not null, "venue_id" text null, "insertion_order" bigserial, primary key ("id"));`,
    );
    this.addSql(
      `alter table "onsite"."booth" add constraint "booth_number_unique" unique ("event_id", "number");`,
    );
    this.addSql(`create index "booth_of" on "onsite"."booth" ("exhibitor_id");`);
    this.addSql(`create index "booth_in_venue" on "onsite"."booth" ("venue_id");`);

    this.addSql(
      `create table "onsite"."change_counter" ("name" text not null, "last" bigint not null, "confirmed" bigint not null, primary key ("name"));`,
    );

    this.addSql(
      `create table "onsite"."change_inbox" ("position" bigserial primary key, "business_unit_id" text not null, "occurred_at" timestamptz(3) not null default clock_timestamp(), "body" text not null);`,
    );

    this.addSql(
      `create table "onsite"."change_log" ("number" bigint not null, "business_unit_id" text not null, "occurred_at" timestamptz(3) not null, "body" text not null, primary key ("number"));`,
    );

    this.addSql(
      `create table "onsite"."checkin" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "registration_id" text not null, "subject_type" text not null, "subject_id" text not null, "method" text not null, "checked_in_at" timestamptz(3) not null default clock_timestamp(), "is_unconfirmed" boolean not null default false, "scanned_at" timestamptz(3) null, "device_id" text null, "source" text null, "scan_id" text null, "clock_uncertainty_ms" int not null default 0, "overruled" boolean not null default false, "undone_at" timestamptz(3) null, "undone_by" jsonb null, "undo_reason" text null, "version" bigint not null default '1', "insertion_order" bigserial, primary key ("id"));`,
    );
    this.addSql(
      `create unique index checkin_once on onsite.checkin (registration_id, subject_type, subject_id) where undone_at is null;`,
    );
    this.addSql(
      `create index checkin_undone on onsite.checkin (event_id, undone_at, id) where undone_at is not null;`,
    );
    this.addSql(
      `create index "checkin_by_time" on "onsite"."checkin" ("event_id", "checked_in_at");`,
    );
    this.addSql(
      `create index "checkin_of_registration" on "onsite"."checkin" ("registration_id", "subject_type", "subject_id");`,
    );
    this.addSql(
      `create index "checkin_newest_first" on "onsite"."checkin" ("business_unit_id", "event_id", "insertion_order");`,
    );
    this.addSql(
      `create index "checkin_of_kind" on "onsite"."checkin" ("business_unit_id", "event_id", "subject_type", "insertion_order");`,
    );
    this.addSql(
      `create index "checkin_of_subject" on "onsite"."checkin" ("business_unit_id", "event_id", "subject_id", "insertion_order");`,
    );

    this.addSql(
      `create table "onsite"."checkin_count" ("event_id" text not null, "subject_type" text not null, "subject_id" text not null, "part" smallint not null, "business_unit_id" text not null, "checked_in" int not null, "overruled" int not null default 0, "last_checkin_at" timestamptz(3) not null, primary key ("event_id", "subject_type", "subject_id", "part"));`,
    );

    this.addSql(
      `create table "onsite"."dead_letter" ("stream_created_at" text not null, "seq" bigint not null, "index" int not null, "body" text not null, "error" text not null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("stream_created_at", "seq", "index"));`,
    );

    this.addSql(
      `create table "onsite"."deleted_door" ("subject_type" text not null, "subject_id" text not null, "business_unit_id" text not null, "event_id" text not null, primary key ("subject_type", "subject_id"));`,
    );

    this.addSql(
      `create table "onsite"."device" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "last_seen_at" timestamptz(3) not null, "unsent_scans" int null, "roster_read_at" timestamptz(3) null, "reported_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "device_of_event" on "onsite"."device" ("event_id");`);
    this.addSql(`create index "device_by_age" on "onsite"."device" ("last_seen_at");`);

    this.addSql(
      `create table "onsite"."exhibitor" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "name" text not null, "description" text null, "website" text null, "status" text not null default 'pending', "created_at" timestamptz(3) not null default clock_timestamp(), "version" bigint not null default '1', "insertion_order" bigserial, primary key ("id"));`,
    );
    this.addSql(
      `create index "exhibitor_newest_first" on "onsite"."exhibitor" ("business_unit_id", "event_id", "insertion_order");`,
    );

    this.addSql(
      `create table "onsite"."exhibitor_member" ("registration_id" text not null, "business_unit_id" text not null, "event_id" text not null, "exhibitor_id" text not null, "role" text not null, "insertion_order" bigserial, primary key ("registration_id"));`,
    );
    this.addSql(
      `create index "exhibitor_member_of" on "onsite"."exhibitor_member" ("exhibitor_id");`,
    );

    this.addSql(
      `create table "onsite"."idempotency_key" ("business_unit_id" text not null, "operation" text not null, "key" text not null, "request_hash" text not null, "id_seed" text not null, "lease_until" timestamptz(3) not null, "created_at" timestamptz(3) not null, "response_status" int null, "response_location" text null, "response_body" text null, primary key ("business_unit_id", "operation", "key"));`,
    );
    this.addSql(
      `create index "idempotency_key_by_age" on "onsite"."idempotency_key" ("created_at");`,
    );

    this.addSql(
      `create table "onsite"."addon_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "perk_ids" text[] not null, primary key ("id"));`,
    );
    this.addSql(
      `create index addon_projection_with_perks on onsite.addon_projection (event_id) where perk_ids <> '{}';`,
    );

    this.addSql(
      `create table "onsite"."event_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "agenda_version" int not null, "starts_at" timestamptz(3) null, "ends_at" timestamptz(3) null, primary key ("id"));`,
    );

    this.addSql(
      `create table "onsite"."perk_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "name" text null, primary key ("id"));`,
    );

    this.addSql(
      `create table "onsite"."redemption_code_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "perk_ids" text[] not null, primary key ("id"));`,
    );
    this.addSql(
      `create index redemption_code_projection_with_perks on onsite.redemption_code_projection (event_id) where perk_ids <> '{}';`,
    );

    this.addSql(
      `create table "onsite"."registration_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "name" text null, "status" text not null, "checkin_code" text not null, "replaced_checkin_codes" text[] not null default '{}', "ticket_type_id" text null, "addon_ids" text[] not null, "redemption_code_id" text null, "granted_perk_ids" text[] not null, "changed_seq" bigint not null default 0, primary key ("id"));`,
    );
    this.addSql(
      `create index "registration_projection_by_code" on "onsite"."registration_projection" ("checkin_code");`,
    );
    this.addSql(
      `create index "badge_in_order_of_change" on "onsite"."registration_projection" ("event_id", "changed_seq", "id");`,
    );
    this.addSql(
      `create index registration_projection_by_replaced_code on onsite.registration_projection using gin (replaced_checkin_codes) where replaced_checkin_codes <> '{}';`,
    );

    this.addSql(
      `create table "onsite"."ticket_type_projection" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "version" bigint not null, "perk_ids" text[] not null, primary key ("id"));`,
    );
    this.addSql(
      `create index ticket_type_projection_with_perks on onsite.ticket_type_projection (event_id) where perk_ids <> '{}';`,
    );

    this.addSql(
      `create table "onsite"."projection_checkpoint" ("name" text not null, "seq" bigint not null, "stream_created_at" text not null, "last_message_hash" text not null, "schema_fingerprint" text not null, "origins" jsonb not null default '{}', primary key ("name"));`,
    );

    this.addSql(
      `create table "onsite"."removed_badge" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "changed_seq" bigint not null, primary key ("id"));`,
    );
    this.addSql(
      `create index "removed_badge_in_order_of_change" on "onsite"."removed_badge" ("event_id", "changed_seq", "id");`,
    );

    this.addSql(
      `create table "onsite"."roster_epoch" ("name" text not null, "epoch" uuid not null default gen_random_uuid(), primary key ("name"));`,
    );

    this.addSql(
      `create table "onsite"."scan" ("event_id" text not null, "scan_id" text not null, "business_unit_id" text not null, "source" text not null, "identity" text not null, "subject_type" text not null, "subject_id" text not null, "decision" text not null, "scanned_at" timestamptz(3) not null, "occurred_at" timestamptz(3) not null, "roster_cursor" text null, "result" jsonb null, "created_at" timestamptz(3) not null default clock_timestamp(), primary key ("event_id", "scan_id"));`,
    );
    this.addSql(`create index "scan_by_age" on "onsite"."scan" ("created_at");`);
    this.addSql(
      `create index scan_conflict on onsite.scan (event_id, created_at, scan_id) where result ->> 'result' in ('contested', 'overruled');`,
    );

    this.addSql(
      `create table "onsite"."scan_count" ("event_id" text not null, "subject_type" text not null, "subject_id" text not null, "part" smallint not null, "business_unit_id" text not null, "contested" int not null, "refused" int not null, primary key ("event_id", "subject_type", "subject_id", "part"));`,
    );

    this.addSql(
      `create table "onsite"."session" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "title" text not null, "description" text null, "starts_at" timestamptz(3) not null, "ends_at" timestamptz(3) not null, "venue_id" text null, "perk_ids" text[] not null, "agenda_version" int not null, "created_at" timestamptz(3) not null default clock_timestamp(), "version" bigint not null default '1', primary key ("id"));`,
    );
    this.addSql(`create index "session_in_venue" on "onsite"."session" ("venue_id");`);
    this.addSql(
      `create index "session_in_time_order" on "onsite"."session" ("business_unit_id", "event_id", "starts_at", "id");`,
    );

    this.addSql(
      `create table "onsite"."speaker" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "name" text not null, "title" text null, "bio" text null, "registration_id" text null, "session_ids" text[] not null, "created_at" timestamptz(3) not null default clock_timestamp(), "version" bigint not null default '1', "insertion_order" bigserial, primary key ("id"));`,
    );
    this.addSql(
      `create index "speaker_newest_first" on "onsite"."speaker" ("business_unit_id", "event_id", "insertion_order");`,
    );

    this.addSql(
      `create table "onsite"."venue" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "name" text not null, "description" text null, "perk_ids" text[] not null, "created_at" timestamptz(3) not null default clock_timestamp(), "version" bigint not null default '1', "insertion_order" bigserial, primary key ("id"));`,
    );
    this.addSql(
      `create index "venue_newest_first" on "onsite"."venue" ("business_unit_id", "event_id", "insertion_order");`,
    );

    this.addSql(
      `alter table "onsite"."audit_entry" add constraint "audit_entry_actor_type_check" check ("actor_type" in ('key', 'operator', 'cli', 'system', 'device'));`,
    );
    this.addSql(
      `alter table "onsite"."audit_entry" add constraint "audit_entry_result_check" check ("result" in ('done', 'unchanged', 'refused', 'started'));`,
    );

    this.addSql(
      `alter table "onsite"."checkin" add constraint "checkin_subject_type_check" check ("subject_type" in ('event', 'session', 'venue'));`,
    );
    this.addSql(
      `alter table "onsite"."checkin" add constraint "checkin_method_check" check ("method" in ('scan', 'manual'));`,
    );
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
    this.addSql(
      `create function onsite.checkpoint_advances_fn() returns trigger as $$ begin
         perform set_config('onsite.changed_seq', (case
           when new.seq > old.seq or new.schema_fingerprint like 'resync %' then new.seq else new.seq + 1 end)::text, true);
         if old.schema_fingerprint like 'resync %' and new.schema_fingerprint not like 'resync %' and new.schema_fingerprint <> '' then
           update onsite.roster_epoch set epoch = gen_random_uuid();
           delete from onsite.removed_badge;
         end if;
         return new;
       end; $$ language plpgsql;`,
    );
    this.addSql(
      `create function onsite.badge_changed_fn() returns trigger as $$
       declare changed_at bigint;
       begin
         ${readChangedSeq}
         if tg_op = 'UPDATE' and (${of('new')}) is not distinct from (${of('old')}) and old.changed_seq <= changed_at then
           changed_at := old.changed_seq;
         end if;
         new.changed_seq := changed_at;
         return new;
       end; $$ language plpgsql;`,
    );
    this.addSql(
      `create function onsite.badge_removal_fn() returns trigger as $$
       declare changed_at bigint;
       begin
         ${readChangedSeq}
         return null;
       end; $$ language plpgsql;`,
    );
    this.addSql(
      `create function onsite.badge_removed_fn() returns trigger as $$
       declare changed_at bigint;
       begin
         ${readChangedSeq}
         insert into onsite.removed_badge (id, business_unit_id, event_id, changed_seq)
         select id, business_unit_id, event_id, changed_at from removed order by id
         on conflict (id) do update set changed_seq = excluded.changed_seq;
         return null;
       end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger count after insert on onsite.checkin referencing new table as inserted for each statement execute function onsite.checkin_count_fn();`,
    );

    this.addSql(
      `alter table "onsite"."checkin_count" add constraint "checkin_count_subject_type_check" check ("subject_type" in ('event', 'session', 'venue'));`,
    );

    this.addSql(
      `alter table "onsite"."deleted_door" add constraint "deleted_door_subject_type_check" check ("subject_type" in ('event', 'session', 'venue'));`,
    );

    this.addSql(
      `alter table "onsite"."exhibitor" add constraint "exhibitor_status_check" check ("status" in ('pending', 'confirmed', 'declined'));`,
    );

    this.addSql(
      `create trigger badge_changed before insert or update on onsite.registration_projection for each row execute function onsite.badge_changed_fn();`,
    );
    this.addSql(
      `create trigger badge_removal before delete on onsite.registration_projection for each statement execute function onsite.badge_removal_fn();`,
    );
    this.addSql(
      `create trigger badge_removed after delete on onsite.registration_projection referencing old table as removed for each statement execute function onsite.badge_removed_fn();`,
    );

    this.addSql(
      `create trigger checkpoint_advances before update on onsite.projection_checkpoint for each row execute function onsite.checkpoint_advances_fn();`,
    );

    this.addSql(
      `alter table "onsite"."scan" add constraint "scan_subject_type_check" check ("subject_type" in ('event', 'session', 'venue'));`,
    );
    this.addSql(
      `alter table "onsite"."scan" add constraint "scan_decision_check" check ("decision" in ('admitted', 'refused'));`,
    );

    this.addSql(
      `alter table "onsite"."scan_count" add constraint "scan_count_subject_type_check" check ("subject_type" in ('event', 'session', 'venue'));`,
    );

    this.addSql(
      `alter table "onsite"."session" add constraint "session_ends_at_check" check (ends_at > starts_at);`,
    );
    this.addSql(
      `create trigger remember_deleted after delete on onsite.session for each row execute function onsite.remember_deleted_fn();`,
    );

    this.addSql(
      `create trigger remember_deleted after delete on onsite.venue for each row execute function onsite.remember_deleted_fn();`,
    );

    // Rows that the process expects. Its role cannot change entries of the audit log.
    this.addSql(`insert into "onsite"."change_counter" values ('changes', 0, 0);`);
    this.addSql(`insert into onsite.roster_epoch (name) values ('roster');`);
    this.addSql(
      `do $$ begin if exists (select from pg_roles where rolname = 'onsite_app') then revoke update, delete on "onsite"."audit_entry" from onsite_app; end if; end $$;`,
    );
  }
}
