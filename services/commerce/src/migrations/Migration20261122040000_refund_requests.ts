import { Migration } from '@mikro-orm/migrations';

export class Migration20261122040000_refund_requests extends Migration {
  override name = 'Migration20261122040000_refund_requests';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "commerce"."refund" add "request_id" text null, add "requested_extent" text null, add "requested_at" timestamptz(3) null;`,
    );
    this.addSql(
      `alter table "commerce"."refund" add constraint "refund_requested_extent_check" check ("requested_extent" in ('amount', 'onlyDue', 'all'));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "commerce"."refund" drop constraint "refund_requested_extent_check";`);
    this.addSql(
      `alter table "commerce"."refund" drop column "request_id", drop column "requested_extent", drop column "requested_at";`,
    );
  }
}
