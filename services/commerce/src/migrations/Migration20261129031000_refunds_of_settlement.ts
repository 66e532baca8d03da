import { Migration } from '@mikro-orm/migrations';

export class Migration20261129031000_refunds_of_settlement extends Migration {
  override name = 'Migration20261129031000_refunds_of_settlement';

  override up(): void | Promise<void> {
    this.addSql(
      `create index provider_refund_of_settlement on commerce.provider_refund (settlement_id) where settlement_id is not null;`,
    );
  }
}
