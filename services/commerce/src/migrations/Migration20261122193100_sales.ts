import { Migration } from '@mikro-orm/migrations';

export class Migration20261122193100_sales extends Migration {
  override name = 'Migration20261122193100_sales';

  override up(): void | Promise<void> {
    this.addSql(
      `create index customer_order_paid on commerce.customer_order (business_unit_id collate "C", paid_at, event_id collate "C") where paid_at is not null;`,
    );
    this.addSql(
      `create index refund_done on commerce.refund (business_unit_id collate "C", done_at, event_id collate "C") where done_at is not null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index if exists commerce.customer_order_paid;`);
    this.addSql(`drop index if exists commerce.refund_done;`);
  }
}
