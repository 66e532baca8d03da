import { Migration } from '@mikro-orm/migrations';

export class Migration20261122221500_stream_state extends Migration {
  override name = 'Migration20261122221500_stream_state';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "catalog"."stream_state" ("name" text not null, "lineage" uuid not null, "incarnation" text not null, "confirmed_seq" bigint not null, primary key ("name"));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "catalog"."stream_state" cascade;`);
  }
}
