import { Migration } from '@mikro-orm/migrations';

export class Migration20261128140000_name_order extends Migration {
  override name = 'Migration20261128140000_name_order';

  override up(): void | Promise<void> {
    this.addSql(
      `create index if not exists registration_name_order on registration.registration ((event_id || ''), (coalesce(left(replace(replace(replace(replace(translate(lower(regexp_replace("normalize"(name, 'NFKD'), '[\\u00ad\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e8\\u06ea-\\u06ed\\u200d\\u2060\\ufe00-\\ufe0f\\ufeff]', '', 'g') collate pg_c_utf8), 'øłđðħŧŋıɓɗƙƴς', 'olddhtnibdkyσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 40), chr(1114111)) collate "C"), insertion_order);`,
    );
  }
}
