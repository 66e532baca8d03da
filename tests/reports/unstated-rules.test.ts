import { type PlatformFixture, sharedPlatform } from '@event-api/e2e/fixtures/platform';
import { newScannerEvent } from '@event-api/e2e/scanner/event';
import { beforeAll, describe, expect, test } from 'vitest';

// Kind: a rule that people expect and that nobody has stated.

let platform: PlatformFixture;
beforeAll(async () => {
  platform = await sharedPlatform();
});

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

async function atDoor() {
  const event = await newScannerEvent(platform);
  const { id: registrationId } = await event.register('Ada Early');
  const body = { registrationId, subjectType: 'event' };
  const scan = (status: number) =>
    event.steps.expect(status, 'POST', `${event.path}/checkins`, body);
  const { registrationTypeId } = await event.steps.get(
    `${event.path}/registrations/${registrationId}`,
  );
  return { ...event, scan, typePath: `${event.path}/ticket-types/${registrationTypeId}` };
}

// TiBillet/Lespass#377: tickets can be validated before the event begins and after it has ended.
describe('a scan outside the days of an event', () => {
  test('is a success with a notice', async () => {
    const { scan, steps, path } = await atDoor();
    await steps.patch(path, {
      ...{ startsAt: inHours(24 * 180), endsAt: inHours(24 * 181), confirmAgendaReset: true },
    });
    expect((await scan(201)).notice).toBe('OUTSIDE_EVENT_DAYS');
  });

  test('is refused with the times if the event has times of admission', async () => {
    const { scan, steps, path } = await atDoor();
    const times = { admissionOpensAt: inHours(2), admissionClosesAt: inHours(4) };
    await steps.patch(path, times);
    const { error } = await scan(412);
    expect(error.details).toEqual([{ reason: 'ADMISSION_CLOSED', ...times }]);
    await steps.patch(path, { admissionOpensAt: inHours(-2) });
    await scan(201);
  });
});

// big-neon/bn-api#614: each ticket type has its own time from which it is scanned.
test('a ticket type has its own times of admission', async () => {
  const { scan, steps, typePath } = await atDoor();
  await steps.patch(typePath, { admissionOpensAt: inHours(2) });
  const { error } = await scan(412);
  expect(error.details[0].reason).toBe('ADMISSION_CLOSED');
  await steps.patch(typePath, { admissionOpensAt: null });
  await scan(201);
});
