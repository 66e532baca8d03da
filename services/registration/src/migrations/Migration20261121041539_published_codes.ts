import { Migration } from '@mikro-orm/migrations';

export class Migration20261121041539_published_codes extends Migration {
  override name = 'Migration20261121041539_published_codes';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "registration"."redemption_code" add "version" bigint not null default '1';`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "registration"."redemption_code" drop column "version";`);
  }
}
