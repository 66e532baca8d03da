import { Migration } from '@mikro-orm/migrations';

export class Migration20261126180000_name_words extends Migration {
  override name = 'Migration20261126180000_name_words';

  // Processes of the previous release search names without an index during a rollout.
  override up(): void | Promise<void> {
    this.addSql(
      String.raw`create index if not exists customer_order_by_name on commerce.customer_order using gin ((array_to_tsvector(string_to_array(event_id || ' ' || regexp_replace(nullif(regexp_replace(left(replace(replace(replace(replace(translate(lower(regexp_replace("normalize"(name || ' ' || regexp_replace(name, '[\u0027\u002d\u0060\u00b4\u02b9-\u02bf\u05be\u05f3\u05f4\u200c\u2010-\u2013\u2018\u2019\u2032\u2212\uff07\uff0d]', '', 'g'), 'NFKD'), '[\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u200d\u2060\ufe00-\ufe0f\ufeff]', '', 'g') collate pg_c_utf8), 'øłđðħŧŋıɓɗƙƴς', 'olddhtnibdkyσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 480), '^[[:punct:][:space:][:cntrl:]\u02b9-\u02bf\u2000-\u206f]+|[[:punct:][:space:][:cntrl:]\u02b9-\u02bf\u2000-\u206f]+$', '', 'g'), ''), '[[:punct:][:space:][:cntrl:]\u02b9-\u02bf\u2000-\u206f]+', '|' || event_id || ' ', 'g'), '|')))) with (fastupdate = off);`,
    );
    this.addSql(`drop index if exists commerce.customer_order_of_name;`);
  }

  override down(): void | Promise<void> {
    this.addSql(
      String.raw`create index customer_order_of_name on commerce.customer_order using gin ((array_to_tsvector(string_to_array(event_id || ' ' || regexp_replace(nullif(regexp_replace(left(lower(regexp_replace("normalize"(name, 'NFD'), '[\u0300-\u036f]', '', 'g') collate pg_c_utf8), 200), '^[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a0\u2000-\u206f]+|[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a0\u2000-\u206f]+$', '', 'g'), ''), '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a0\u2000-\u206f]+', '|' || event_id || ' ', 'g'), '|')))) with (fastupdate = off);`,
    );
    this.addSql(`drop index if exists commerce.customer_order_by_name;`);
  }
}
