import { changeOrder } from '@event-api/contracts/http/order-changes';
import { listCodeBatches } from '@event-api/contracts/operator/codes';
import { pairDevice } from '@event-api/contracts/operator/devices';
import { allocateBooth } from '@event-api/contracts/operator/exhibitors';
import { inviteMember } from '@event-api/contracts/operator/members';
import { createPerk } from '@event-api/contracts/operator/perks';
import { createTaxRate } from '@event-api/contracts/operator/tax-rates';
import type { Role } from '@event-api/contracts/permissions';
import type { PlatformFixture } from '../fixtures/platform.ts';
import { rawClient } from '../raw-client.ts';
import { bodyFor, createRecords, keyOperations, pathOf, type Records } from '../records.ts';
import type { ConsoleClient } from './client.ts';

/** A business unit with at least one record of each kind. */
export interface UnitWithRecords {
  unitId: string;
  /** Ids of records by the patterns of their paths. */
  records: Records;
  /** Ids of records by their prefixes. */
  ids: Record<string, string>;
  /** Makes an operator a member, and remembers it as the unit's record of an operator. */
  join(client: ConsoleClient, role: Role): Promise<void>;
}

export async function createUnitWithRecords(platform: PlatformFixture): Promise<UnitWithRecords> {
  const { operator } = platform;
  const { unitId, keyId, secret } = await platform.newUnit({ rateLimitPerMinute: 1_000_000 });
  const request = rawClient(platform.baseUrl, secret);
  const records = await createRecords(keyOperations, request, (command, input) =>
    operator.callUnchecked(command, { businessUnitId: unitId, ...input }),
  );
  const ids = Object.fromEntries(
    Object.values(records).map((id) => [id.slice(0, id.indexOf('_')), id]),
  );
  const { evt: eventId = '', tt: registrationTypeId = '', exh: exhibitorId = '' } = ids;
  const event = { businessUnitId: unitId, eventId };
  const path = `/v1/events/${eventId}/redemption-codes`;
  await request({ method: 'POST', path, body: JSON.stringify({ registrationTypeId, count: 2 }) });
  const hall = { capacityGroups: [{ name: 'Hall', capacity: 10 }] };
  const changed = await request({
    method: 'PATCH',
    path: `/v1/events/${eventId}`,
    body: JSON.stringify(hall),
  });
  const [group] = JSON.parse(changed.body).capacityGroups;
  const quoted = await request({
    method: 'POST',
    path: pathOf(changeOrder, records),
    body: JSON.stringify(bodyFor(changeOrder, records)),
  });
  const { quote } = JSON.parse(quoted.body);
  request.close();
  const { batches } = await operator.call(listCodeBatches, event);
  const vat = { name: 'VAT', percentage: 1900, mode: 'inclusive' as const };
  const rate = await operator.call(createTaxRate, { businessUnitId: unitId, ...vat });
  const perk = await operator.call(createPerk, { ...event, name: 'Lunch' });
  const doors = [{ subjectType: 'event' as const, subjectId: eventId }];
  const device = await operator.call(pairDevice, { ...event, name: 'Entrance', doors });
  const booth = { ...event, exhibitorId, number: 'A1', type: 'corner' };
  const { booths } = await operator.call(allocateBooth, booth);
  const invitation = { businessUnitId: unitId, role: 'viewer' } as const;
  const invited = await operator.call(inviteMember, invitation);
  const all: Record<string, string> = {
    ...ids,
    unit: unitId,
    key: keyId,
    batch: batches[0]?.id ?? '',
    cgp: group.id,
    quo: quote.id,
    perk: perk.id,
    tax: rate.id,
    dev: device.id,
    booth: booths[0]?.id ?? '',
    inv: invited.id,
  };
  return {
    unitId,
    records,
    ids: all,
    async join(client, role) {
      const { link } = await operator.call(inviteMember, { businessUnitId: unitId, role });
      await client.accept(link ?? '');
      const session = await client.request({ method: 'GET', path: '/api/session' });
      all.opr = JSON.parse(session.body).operator.id;
    },
  };
}
