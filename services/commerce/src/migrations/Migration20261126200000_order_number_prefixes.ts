import { Migration } from '@mikro-orm/migrations';

export class Migration20261126200000_order_number_prefixes extends Migration {
  override name = 'Migration20261126200000_order_number_prefixes';

  override up(): void | Promise<void> {
    this.addSql(
      `create index if not exists customer_order_by_number on commerce.customer_order ((event_id || ' '), order_number text_pattern_ops);`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index if exists commerce.customer_order_by_number;`);
  }
}
