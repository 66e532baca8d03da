import { Migration } from '@mikro-orm/migrations';

export class Migration20261129070000_refused_refunds extends Migration {
  override name = 'Migration20261129070000_refused_refunds';

  override up(): void | Promise<void> {
    this.addSql(`alter table commerce.refund add column refusals int not null default 0;`);
  }
}
