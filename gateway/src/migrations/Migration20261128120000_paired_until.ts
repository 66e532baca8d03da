import { Migration } from '@mikro-orm/migrations';

export class Migration20261128120000_paired_until extends Migration {
  override name = 'Migration20261128120000_paired_until';

  override up(): void | Promise<void> {
    this.addSql(`alter table "gateway"."api_key" add column "paired_until" timestamptz(3) null;`);
  }
}
