import { Migration } from '@mikro-orm/migrations';

export class Migration20261122221500_withdrawn_refunds extends Migration {
  override name = 'Migration20261122221500_withdrawn_refunds';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "commerce"."order_line" add column "unfulfilled_registration_ids" text[] not null default '{}';`,
    );
    this.addSql(`alter table "commerce"."refund" drop constraint "refund_state_check";`);
    this.addSql(
      `alter table "commerce"."refund" add constraint "refund_state_check" check ("state" in ('due', 'pending', 'done', 'failed', 'withdrawn'));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "commerce"."refund" drop constraint "refund_state_check";`);
    this.addSql(
      `alter table "commerce"."refund" add constraint "refund_state_check" check ("state" in ('due', 'pending', 'done', 'failed'));`,
    );
    this.addSql(`alter table "commerce"."order_line" drop column "unfulfilled_registration_ids";`);
  }
}
