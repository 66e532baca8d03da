import { Migration } from '@mikro-orm/migrations';

export class Migration20261121074503_refunds_due extends Migration {
  override name = 'Migration20261121074503_refunds_due';

  override up(): void | Promise<void> {
    this.addSql(
      `create index refund_due on commerce.refund (last_attempt_at) where state = 'due';`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "commerce"."refund_due";`);
  }
}
