import { Migration } from '@mikro-orm/migrations';

export class Migration20261128110000_short_codes extends Migration {
  override name = 'Migration20261128110000_short_codes';

  override up(): void | Promise<void> {
    this.addSql(`alter table "gateway"."api_key" add column "short_code_hash" text null;`);
    this.addSql(
      `alter table "gateway"."api_key" add constraint "api_key_short_code_hash_unique" unique ("short_code_hash");`,
    );
  }
}
