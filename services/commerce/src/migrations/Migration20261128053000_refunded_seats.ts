import { Migration } from '@mikro-orm/migrations';

export class Migration20261128053000_refunded_seats extends Migration {
  override name = 'Migration20261128053000_refunded_seats';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "commerce"."refund" add "registration_ids" text[] not null default '{}', add "revokes_seats" boolean not null default false;`,
    );
    this.addSql(`alter table "commerce"."refund" drop constraint "refund_requested_extent_check";`);
    this.addSql(
      `alter table "commerce"."refund" add constraint "refund_requested_extent_check" check ("requested_extent" in ('amount', 'onlyDue', 'all', 'registrationIds'));`,
    );
  }
}
