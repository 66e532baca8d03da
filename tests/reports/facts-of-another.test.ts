import { setDoorRules } from '@event-api/contracts/operator/door-rules';
import { type PlatformFixture, sharedPlatform } from '@event-api/e2e/fixtures/platform';
import { newScannerEvent } from '@event-api/e2e/scanner/event';
import { eventually } from '@event-api/platform/testing/eventually';
import { beforeAll, describe, expect, test } from 'vitest';

// Kind: facts of one thing are told as facts of another.

let platform: PlatformFixture;
beforeAll(async () => {
  platform = await sharedPlatform();
});

/** A person who was let in, after which the registration was transferred. */
async function transferred() {
  const event = await newScannerEvent(platform);
  const { steps, path } = event;
  const { id, checkinCode } = await event.register('Ada Former');
  const scan = (code: string) => ({ checkinCode: code, subjectType: 'event' });
  const { checkin } = await steps.create(`${path}/checkins`, scan(checkinCode));
  const heir = { email: 'grace@example.com', name: 'Grace Heir' };
  const changed = await steps.patch(`${path}/registrations/${id}`, heir);
  return { event, checkin, changed, scan: scan(changed.checkinCode) };
}

// unlock-protocol/unlock#12585: a ticket is used and then transferred, and its new code enters, too.
describe('a transfer of a registration that was let in', () => {
  test('says so, and the first scan of the new badge names the former one', async () => {
    const { event, checkin, changed, scan } = await transferred();
    expect(changed).toMatchObject({ name: 'Grace Heir', checkedIn: true });
    expect(await event.steps.post(`${event.path}/checkins`, scan)).toMatchObject({
      alreadyCheckedIn: true,
      checkin: { id: checkin.id, badgeReplaced: true },
      registration: { name: 'Grace Heir' },
    });
  });

  test('is a refusal of the new badge at that door if an operator has set this', async () => {
    const { event, checkin, scan } = await transferred();
    const { unitId: businessUnitId, entrance, steps, path } = event;
    const rules = { businessUnitId, eventId: entrance.subjectId, refuseIfFormerInside: true };
    await platform.operator.call(setDoorRules, rules);
    const { error } = await steps.expect(412, 'POST', `${path}/checkins`, scan);
    const { checkedInAt } = checkin;
    expect(error.details).toEqual([{ reason: 'FORMER_BADGE_INSIDE', checkedInAt }]);
    await eventually(async () => {
      const { event: ofRoster } = await steps.get(`${path}/checkins/roster`);
      expect(ofRoster.refuseIfFormerInside).toBe(true);
    });
  });
});
