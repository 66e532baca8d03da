import { Migration } from '@mikro-orm/migrations';

export class Migration20261124180000_search extends Migration {
  override name = 'Migration20261124180000_search';

  override up(): void | Promise<void> {
    this.addSql(
      `create index customer_order_by_email on commerce.customer_order (event_id collate "C", lower(email collate "C"));`,
    );
    this.addSql(
      String.raw`create index customer_order_of_name on commerce.customer_order using gin ((array_to_tsvector(string_to_array(event_id || ' ' || regexp_replace(nullif(regexp_replace(left(lower(regexp_replace("normalize"(name, 'NFD'), '[\u0300-\u036f]', '', 'g') collate pg_c_utf8), 200), '^[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a0\u2000-\u206f]+|[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a0\u2000-\u206f]+$', '', 'g'), ''), '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a0\u2000-\u206f]+', '|' || event_id || ' ', 'g'), '|')))) with (fastupdate = off);`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index if exists commerce.customer_order_by_email;`);
    this.addSql(`drop index if exists commerce.customer_order_of_name;`);
  }
}
