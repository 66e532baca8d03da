import { Migration } from '@mikro-orm/migrations';

export class Migration20261128172000_refund_bands extends Migration {
  override name = 'Migration20261128172000_refund_bands';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "catalog"."refund_policy" add "bands" jsonb not null default '[]'::jsonb, add "automatic" boolean not null default false;`,
    );
  }
}
