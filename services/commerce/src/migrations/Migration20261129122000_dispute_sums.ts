import { Migration } from '@mikro-orm/migrations';

export class Migration20261129122000_dispute_sums extends Migration {
  override name = 'Migration20261129122000_dispute_sums';

  override up(): void | Promise<void> {
    this.addSql(
      `create index dispute_opened on commerce.dispute (business_unit_id collate "C", created_at, event_id collate "C") where order_id is not null;`,
    );
  }
}
