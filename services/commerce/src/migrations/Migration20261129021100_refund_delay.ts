import { Migration } from '@mikro-orm/migrations';

export class Migration20261129021100_refund_delay extends Migration {
  override name = 'Migration20261129021100_refund_delay';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "commerce"."refund_delay" ("business_unit_id" text not null, "refund_after_hours" int null, primary key ("business_unit_id"));`,
    );
    this.addSql(`alter table "commerce"."refund" add "send_at" timestamptz(3) null;`);
    this.addSql(
      `create index refund_to_send on commerce.refund (send_at) where state = 'due' and failure is null and send_at is not null;`,
    );
  }
}
