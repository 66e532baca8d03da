import { Migration } from '@mikro-orm/migrations';

export class Migration20261124220000_audit_operation extends Migration {
  override name = 'Migration20261124220000_audit_operation';

  override up(): void | Promise<void> {
    this.addSql(
      `create index "audit_entry_of_operation" on "console"."audit_entry" ("business_unit_id", "operation", "at", "id");`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "console"."audit_entry_of_operation";`);
  }
}
