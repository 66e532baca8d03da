import { Migration } from '@mikro-orm/migrations';

export class Migration20261122050000_unusable_settlements extends Migration {
  override name = 'Migration20261122050000_unusable_settlements';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "commerce"."customer_order" drop constraint "customer_order_intent_check", add constraint "customer_order_intent_check" check ("intent" in ('fulfil', 'cancel', 'release'));`,
    );
    this.addSql(
      `alter table "commerce"."settlement" add "livemode" boolean null, add "reason" text null;`,
    );
    this.addSql(
      `alter table "commerce"."settlement" drop constraint "settlement_state_check", add constraint "settlement_state_check" check ("state" in ('received', 'accepted', 'mismatch', 'surplus', 'late', 'unmatched', 'unusable'));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(
      `alter table "commerce"."settlement" drop constraint "settlement_state_check", add constraint "settlement_state_check" check ("state" in ('received', 'accepted', 'mismatch', 'surplus', 'late', 'unmatched'));`,
    );
    this.addSql(
      `alter table "commerce"."settlement" drop column "livemode", drop column "reason";`,
    );
    this.addSql(
      `alter table "commerce"."customer_order" drop constraint "customer_order_intent_check", add constraint "customer_order_intent_check" check ("intent" in ('fulfil', 'cancel'));`,
    );
  }
}
