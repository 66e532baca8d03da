import { Migration } from '@mikro-orm/migrations';

export class Migration20261128100000_admission_times extends Migration {
  override name = 'Migration20261128100000_admission_times';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "registration"."ticket_type_projection" add column "admission_opens_at" timestamptz(3) null, add column "admission_closes_at" timestamptz(3) null;`,
    );
  }
}
