import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { gateway, useGateway } from '../context.ts';

useGateway();

const command = (name: string, body: unknown, key: string) =>
  gateway.operator('POST', `/operator/${name}`, { body, headers: { 'idempotency-key': key } });

describe('unit.create with an Idempotency-Key', () => {
  test('creates one unit and replays its response', async () => {
    const key = randomUUID();
    const name = `Unit ${key}`;
    const first = await command('unit.create', { name }, key);
    const second = await command('unit.create', { name }, key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.body).toEqual(first.body);
    const { units } = await gateway.run('unit.list', {});
    expect(units.filter((unit: { name: string }) => unit.name === name)).toHaveLength(1);
  });

  test('finds the unit of an interrupted attempt', async () => {
    const key = randomUUID();
    const body = { name: `Unit ${key}` };
    const first = await command('unit.create', body, key);
    await gateway.sql?.(
      'update gateway.idempotency_key set response_status = null, lease_until = clock_timestamp() where key = $1',
      [key],
    );
    const second = await command('unit.create', body, key);
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(second.headers['idempotent-replayed']).toBeUndefined();
  });

  test('rejects another body', async () => {
    const key = randomUUID();
    await command('unit.create', { name: 'One' }, key);
    const { status, body } = await command('unit.create', { name: 'Other' }, key);
    expect([status, body.error.details[0].field]).toEqual([400, 'Idempotency-Key']);
  });
});

describe('key.create with an Idempotency-Key', () => {
  test('creates one key, returns its secret once and stores the response without it', async () => {
    const unit = await gateway.run('unit.create', { name: 'Unit' });
    const key = randomUUID();
    const body = { businessUnitId: unit.id, name: 'Shop' };
    const first = await command('key.create', body, key);
    expect(first.status).toBe(201);
    for (const _ of [1, 2]) {
      const retry = await command('key.create', body, key);
      expect([retry.status, retry.body]).toEqual([201, { ...first.body, secret: null }]);
      expect(retry.headers['idempotent-replayed']).toBe('true');
    }
    const { keys } = await gateway.run('key.list', { businessUnitId: unit.id });
    expect(keys.map(({ id }: { id: string }) => id)).toEqual([first.body.id]);
    const rows = await gateway.sql?.('select * from gateway.idempotency_key where key = $1', [key]);
    expect(rows).toMatchObject([{ business_unit_id: 'operator', response_status: 201 }]);
    expect(JSON.stringify(rows)).not.toContain(first.body.secret);
  });

  test('finds the key of an interrupted attempt, and returns it without its secret', async () => {
    const unit = await gateway.run('unit.create', { name: 'Unit' });
    const key = randomUUID();
    const body = { businessUnitId: unit.id, name: 'Shop' };
    const first = await command('key.create', body, key);
    await gateway.sql?.(
      'update gateway.idempotency_key set response_status = null, lease_until = clock_timestamp() where key = $1',
      [key],
    );
    const second = await command('key.create', body, key);
    expect([second.status, second.body]).toEqual([201, { ...first.body, secret: null }]);
  });

  test('creates the key after a rejected attempt', async () => {
    const key = randomUUID();
    const secret = `sk_live_${randomUUID().replaceAll('-', '')}`;
    const unit = await gateway.run('unit.create', { name: 'Unit' });
    const body = { businessUnitId: unit.id, name: 'Shop', secret };
    await gateway.run('key.create', { ...body, secret });
    expect((await command('key.create', body, key)).status).toBe(409);
    const other = { businessUnitId: unit.id, name: 'Shop' };
    expect((await command('key.create', other, key)).status).toBe(201);
  });
});
