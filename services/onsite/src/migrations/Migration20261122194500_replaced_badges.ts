import { Migration } from '@mikro-orm/migrations';

export class Migration20261122194500_replaced_badges extends Migration {
  override name = 'Migration20261122194500_replaced_badges';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "onsite"."registration_projection" add column "replaced_checkin_codes" text[] not null default '{}';`,
    );
    this.addSql(
      `create index registration_projection_by_replaced_code on onsite.registration_projection using gin (replaced_checkin_codes) where replaced_checkin_codes <> '{}';`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(
      `alter table "onsite"."registration_projection" drop column "replaced_checkin_codes";`,
    );
  }
}
