import { Migration } from '@mikro-orm/migrations';

export class Migration20261122193500_form_responses extends Migration {
  override name = 'Migration20261122193500_form_responses';

  override up(): void | Promise<void> {
    this.addSql(`alter table "registration"."event_projection" add column "form" jsonb null;`);
    this.addSql(`alter table "registration"."registration" add column "responses" jsonb null;`);
  }
}
