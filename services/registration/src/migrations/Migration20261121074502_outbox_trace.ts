import { Migration } from '@mikro-orm/migrations';

export class Migration20261121074502_outbox_trace extends Migration {
  override name = 'Migration20261121074502_outbox_trace';

  override up(): void | Promise<void> {
    this.addSql(`alter table "registration"."outbox_message" add "traceparent" text null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "registration"."outbox_message" drop column "traceparent";`);
  }
}
