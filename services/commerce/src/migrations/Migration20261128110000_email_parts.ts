import { Migration } from '@mikro-orm/migrations';

export class Migration20261128110000_email_parts extends Migration {
  override name = 'Migration20261128110000_email_parts';

  override up(): void | Promise<void> {
    this.addSql(
      `create index if not exists customer_order_by_email_part on commerce.customer_order using gin ((array_to_tsvector(array_remove(string_to_array(event_id || ' ' || regexp_replace(substr(translate(lower(email collate "C"), '|', ' '), 1), '(.{3})', '\\1|' || event_id || ' ', 'g') || '|' || event_id || ' ' || regexp_replace(substr(translate(lower(email collate "C"), '|', ' '), 2), '(.{3})', '\\1|' || event_id || ' ', 'g') || '|' || event_id || ' ' || regexp_replace(substr(translate(lower(email collate "C"), '|', ' '), 3), '(.{3})', '\\1|' || event_id || ' ', 'g'), '|'), event_id || ' ')))) with (gin_pending_list_limit = 256);`,
    );
  }
}
