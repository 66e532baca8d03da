import { Migration } from '@mikro-orm/migrations';

export class Migration20261128213000_event_cancellation extends Migration {
  override name = 'Migration20261128213000_event_cancellation';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "catalog"."event" add column "cancelled_at" timestamptz(3) null, add column "cancellation_refund" text null;`,
    );
    this.addSql(
      `alter table "catalog"."event" add constraint "event_cancellation_refund_check" check ("cancellation_refund" in ('full', 'policy', 'none'));`,
    );
  }
}
