import { Migration } from '@mikro-orm/migrations';

export class Migration20261128231500_undecided_orders extends Migration {
  override name = 'Migration20261128231500_undecided_orders';

  override up(): void | Promise<void> {
    this.addSql(
      `create index customer_order_undecided on commerce.customer_order (event_id, last_attempt_at) where status = 'paid' and event_cancelled_at is null;`,
    );
  }
}
