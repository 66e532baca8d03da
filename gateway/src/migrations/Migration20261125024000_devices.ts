import { Migration } from '@mikro-orm/migrations';

export class Migration20261125024000_devices extends Migration {
  override name = 'Migration20261125024000_devices';

  override up(): void | Promise<void> {
    this.addSql(
      `create unique index api_key_installation_unique on gateway.api_key (business_unit_id, installation_id) where kind = 'device' and revoked_at is null;`,
    );
    this.addSql(
      `create index api_key_device_expiry on gateway.api_key (expires_at) where kind in ('device', 'pairing');`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "gateway"."api_key_installation_unique";`);
    this.addSql(`drop index "gateway"."api_key_device_expiry";`);
  }
}
