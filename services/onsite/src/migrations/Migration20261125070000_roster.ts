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

export class Migration20261125070000_roster extends Migration {
  override name = 'Migration20261125070000_roster';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "onsite"."registration_projection" add column "changed_seq" bigint not null default 0;`,
    );
    this.addSql(
      `create index "badge_in_order_of_change" on "onsite"."registration_projection" ("event_id", "changed_seq", "id");`,
    );
    for (const table of ['ticket_type', 'addon', 'redemption_code']) {
      this.addSql(
        `create index ${table}_projection_with_perks on onsite.${table}_projection (event_id) where perk_ids <> '{}';`,
      );
    }
    this.addSql(
      `create table "onsite"."removed_badge" ("id" text not null, "business_unit_id" text not null, "event_id" text not null, "changed_seq" bigint not null, primary key ("id"));`,
    );
    this.addSql(
      `create index "removed_badge_in_order_of_change" on "onsite"."removed_badge" ("event_id", "changed_seq", "id");`,
    );
    this.addSql(
      `create table "onsite"."roster_epoch" ("name" text not null, "epoch" uuid not null default gen_random_uuid(), primary key ("name"));`,
    );
    this.addSql(`insert into onsite.roster_epoch (name) values ('roster');`);
    // In the transaction of the projector: what the checkpoint advances to. If it stays, as in the
    // first part of a batch that is halved, what it will at least advance to. During a rebuild it
    // may stay, because a new epoch follows.
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
    // A rebuild also lowers the sequences of another stream.
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
      'create trigger checkpoint_advances before update on onsite.projection_checkpoint for each row execute function onsite.checkpoint_advances_fn();',
    );
    this.addSql(
      'create trigger badge_changed before insert or update on onsite.registration_projection for each row execute function onsite.badge_changed_fn();',
    );
    this.addSql(
      'create trigger badge_removal before delete on onsite.registration_projection for each statement execute function onsite.badge_removal_fn();',
    );
    this.addSql(
      'create trigger badge_removed after delete on onsite.registration_projection referencing old table as removed for each statement execute function onsite.badge_removed_fn();',
    );
  }

  override down(): void | Promise<void> {
    const triggers = [
      ['checkpoint_advances', 'projection_checkpoint'],
      ...['badge_changed', 'badge_removal', 'badge_removed'].map((name) => [
        name,
        'registration_projection',
      ]),
    ];
    for (const [name, table] of triggers) {
      this.addSql(`drop trigger if exists ${name} on onsite.${table};`);
      this.addSql(`drop function if exists onsite.${name}_fn();`);
    }
    for (const table of ['ticket_type', 'addon', 'redemption_code']) {
      this.addSql(`drop index "onsite"."${table}_projection_with_perks";`);
    }
    this.addSql(`alter table "onsite"."registration_projection" drop column "changed_seq";`);
    for (const table of ['removed_badge', 'roster_epoch']) {
      this.addSql(`drop table if exists "onsite"."${table}" cascade;`);
    }
  }
}
