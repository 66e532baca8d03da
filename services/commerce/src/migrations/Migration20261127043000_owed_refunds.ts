import { Migration } from '@mikro-orm/migrations';

export class Migration20261127043000_owed_refunds extends Migration {
  override name = 'Migration20261127043000_owed_refunds';

  override up(): void | Promise<void> {
    this.addSql(
      `create index if not exists refund_owed on commerce.refund (business_unit_id, created_at, id) where state in ('due', 'pending', 'failed');`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index if exists commerce.refund_owed;`);
  }
}
