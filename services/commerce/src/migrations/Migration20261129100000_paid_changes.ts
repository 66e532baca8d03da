import { Migration } from '@mikro-orm/migrations';

export class Migration20261129100000_paid_changes extends Migration {
  override name = 'Migration20261129100000_paid_changes';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "commerce"."order_change" add column "settlement_id" text null, add column "paid_at" timestamptz(3) null;`,
    );
    this.addSql(
      `alter table "commerce"."order_change" drop constraint "order_change_state_check";`,
    );
    this.addSql(
      `alter table "commerce"."order_change" add constraint "order_change_state_check" check ("state" in ('quoted', 'awaiting_payment', 'moving', 'executing', 'done'));`,
    );
    this.addSql(
      `create index order_change_awaiting on commerce.order_change (last_attempt_at) where state = 'awaiting_payment';`,
    );
    this.addSql(
      `create index order_change_paid on commerce.order_change (business_unit_id collate "C", paid_at, event_id collate "C") where paid_at is not null;`,
    );
    this.addSql(
      `create index order_change_of_settlement on commerce.order_change (settlement_id) where settlement_id is not null;`,
    );
    this.addSql(`alter table "commerce"."payment" add column "change_id" text null;`);
  }
}
