import { randomUUID } from 'node:crypto';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrowserClient } from './browser-client.ts';
import { startTestConsole, type TestConsole } from './harness.ts';

let app: TestConsole;
let unit: string;
beforeAll(async () => {
  app = await startTestConsole();
});
afterAll(() => app?.close());
beforeEach(() => {
  unit = `unit_${randomUUID().slice(0, 8)}`;
});

const idOf = async (browser: BrowserClient): Promise<string> =>
  (await browser.send('/api/session')).json().operator.id;
const run = (name: string, input: object) =>
  app.admin('POST', `/operator/${name}`, { body: input });
const secretOf = (link: string) => new URL(link).hash.slice(1);
const accept = (browser: BrowserClient, link: string) =>
  browser.post('/api/invitations/accept', { token: secretOf(link) });

/** Two owners of the business unit. */
async function twoOwners() {
  const browsers = [await app.signIn('olivia'), await app.signIn('oskar')] as const;
  for (const browser of browsers) await app.join(browser, unit, 'owner');
  return Promise.all(browsers.map(idOf));
}

test('changes of members and invitations are in the audit log, and refusals, too', async () => {
  const [, second] = await twoOwners();
  const scope = { businessUnitId: unit };
  const { body } = await run('member.invite', { ...scope, role: 'viewer' });
  await run('invitation.revoke', { ...scope, id: body.id });
  await run('member.setRole', { ...scope, operatorId: second, role: 'viewer' });
  await run('member.remove', { ...scope, operatorId: 'opr_missing' });
  await run('member.remove', { ...scope, operatorId: second });
  await eventually(async () => {
    const log = await run('audit.list', { ...scope, service: 'console' });
    const entries = log.body.entries as { operation: string; result: string; records: string[] }[];
    expect(
      entries
        .map(({ operation, result }) => `${operation} ${result}`)
        .slice(0, 5)
        .toSorted(),
    ).toEqual([
      'invitation.revoke done',
      'member.invite done',
      'member.remove done',
      'member.remove refused',
      'member.setRole done',
    ]);
    expect(entries[0]?.records).toEqual([second]);
  });
});

describe('the members of a business unit', () => {
  test('are listed with their roles, oldest first', async () => {
    const [first, second] = await twoOwners();
    const { body } = await run('member.list', { businessUnitId: unit });
    expect(body.members).toMatchObject([
      { operatorId: first, name: 'Olivia Owner', email: 'olivia@example.com', role: 'owner' },
      { operatorId: second, role: 'owner' },
    ]);
    expect((await run('member.list', { businessUnitId: 'unit_missing' })).status).toBe(404);
  });

  test('always include an owner', async () => {
    const [first, second] = await twoOwners();
    const scope = { businessUnitId: unit };
    expect((await run('member.remove', { ...scope, operatorId: second })).status).toBe(200);
    const last = { ...scope, operatorId: first };
    for (const rejected of [
      await run('member.remove', last),
      await run('member.setRole', { ...last, role: 'viewer' }),
    ]) {
      expect([rejected.status, rejected.body.error.details]).toEqual([
        412,
        [{ reason: 'LAST_OWNER' }],
      ]);
    }
    expect((await run('member.setRole', { ...last, role: 'owner' })).status).toBe(200);
  });

  test('keep one owner when both are removed at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      unit = `unit_${randomUUID().slice(0, 8)}`;
      const owners = await twoOwners();
      const results = await Promise.all(
        owners.map((operatorId, i) =>
          i === 0
            ? run('member.remove', { businessUnitId: unit, operatorId })
            : run('member.setRole', { businessUnitId: unit, operatorId, role: 'viewer' }),
        ),
      );
      expect(results.map(({ status }) => status).toSorted()).toEqual([200, 412]);
      const { body } = await run('member.list', { businessUnitId: unit });
      const roles = body.members.map(({ role }: { role: string }) => role);
      expect(roles).toContain('owner');
    }
  });

  test('are found in their own business unit only', async () => {
    const [first] = await twoOwners();
    const other = { businessUnitId: `${unit}_other`, operatorId: first };
    expect((await run('member.remove', other)).status).toBe(404);
    expect((await run('member.setRole', { ...other, role: 'viewer' })).status).toBe(404);
  });
});

describe('an invitation', () => {
  test('makes the operator a member, once', async () => {
    const { link } = await app.command('member.invite', { businessUnitId: unit, role: 'door' });
    expect(link).toMatch(/^http:\/\/localhost:\d+\/invitation#[\w-]{43}$/);
    const [dario, vera] = [await app.signIn('dario'), await app.signIn('vera')];
    const accepted = await accept(dario, link);
    expect([accepted.status, accepted.json()]).toEqual([
      200,
      { businessUnitId: unit, role: 'door', platformAdmin: false },
    ]);
    const late = await accept(vera, link);
    expect([late.status, late.json().error.details]).toEqual([
      412,
      [{ reason: 'INVITATION_ENDED' }],
    ]);
    expect((await accept(dario, link)).status).toBe(200);
    const { body } = await run('member.list', { businessUnitId: unit });
    expect(body.members).toMatchObject([{ operatorId: await idOf(dario), role: 'door' }]);
  });

  test('goes to one of several operators who accept it at the same time', async () => {
    const names = ['olivia', 'oskar', 'fiona', 'dario', 'vera'];
    const browsers = await Promise.all(names.map((name) => app.signIn(name)));
    for (let round = 0; round < 10; round++) {
      const businessUnitId = `${unit}_${round}`;
      const { link } = await app.command('member.invite', { businessUnitId, role: 'viewer' });
      const results = await Promise.all(browsers.map((browser) => accept(browser, link)));
      expect(results.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412, 412]);
      const { body } = await run('member.list', { businessUnitId });
      expect(body.members).toHaveLength(1);
    }
  });

  test('for an email is for the identity with this verified email only', async () => {
    const input = { businessUnitId: unit, role: 'viewer', email: 'Vera@Example.com' };
    const { link } = await app.command('member.invite', input);
    const [dario, vera] = [await app.signIn('dario'), await app.signIn('vera')];
    const rejected = await accept(dario, link);
    expect([rejected.status, rejected.json().error.details]).toEqual([
      412,
      [{ reason: 'INVITATION_FOR_OTHER' }],
    ]);
    await app.database.sql('update console.operator set email_verified = false where id = $1', [
      await idOf(vera),
    ]);
    expect((await accept(vera, link)).status).toBe(412);
    expect((await accept(await app.signIn('vera'), link)).status).toBe(200);
  });

  test.each([
    ['expired', "expires_at = now() - interval '1 s'"],
    ['revoked', 'revoked_at = now()'],
  ])('that is %s is rejected', async (_, change) => {
    const { id, link } = await app.command('member.invite', { businessUnitId: unit, role: 'door' });
    await app.database.sql(`update console.invitation set ${change} where id = $1`, [id]);
    const response = await accept(await app.signIn('dario'), link);
    expect([response.status, response.json().error.details]).toEqual([
      412,
      [{ reason: 'INVITATION_ENDED' }],
    ]);
    const { body } = await run('audit.list', {
      businessUnitId: unit,
      service: 'console',
      record: id,
    });
    expect(body.entries).toContainEqual(
      expect.objectContaining({
        operation: 'invitation.accept',
        result: 'refused',
        reason: 'INVITATION_ENDED',
      }),
    );
  });

  test('with an unknown secret is like an ended one', async () => {
    const browser = await app.signIn('dario');
    const response = await browser.post('/api/invitations/accept', { token: 'x'.repeat(43) });
    expect([response.status, response.json().error.details]).toEqual([
      412,
      [{ reason: 'INVITATION_ENDED' }],
    ]);
    const stored = await app.database.sql(
      'select operation, result from console.audit_entry where business_unit_id is null and records = array[$1]',
      [await idOf(browser)],
    );
    expect(stored).toContainEqual({ operation: 'invitation.accept', result: 'refused' });
  });

  test('is stored without its secret, and no list shows it', async () => {
    const { link } = await app.command('member.invite', { businessUnitId: unit, role: 'door' });
    const rows = await app.database.sql('select * from console.invitation');
    const { body } = await run('invitation.list', { businessUnitId: unit });
    expect(body.invitations).toHaveLength(1);
    for (const text of [JSON.stringify(rows), JSON.stringify(body)]) {
      expect(text).not.toContain(secretOf(link));
    }
  });

  test('is revoked in its own business unit only, and then no longer listed', async () => {
    const { id, link } = await app.command('member.invite', { businessUnitId: unit, role: 'door' });
    expect((await run('invitation.revoke', { businessUnitId: `${unit}_other`, id })).status).toBe(
      404,
    );
    expect((await run('invitation.revoke', { businessUnitId: unit, id })).status).toBe(200);
    expect((await run('invitation.list', { businessUnitId: unit })).body.invitations).toEqual([]);
    expect((await accept(await app.signIn('dario'), link)).status).toBe(412);
  });

  test('keeps the role of a member', async () => {
    const browser = await app.signIn('olivia');
    await app.join(browser, unit, 'owner');
    await app.join(browser, unit, 'viewer');
    const { body } = await run('member.list', { businessUnitId: unit });
    expect(body.members).toMatchObject([{ role: 'owner' }]);
  });

  test('of the command line is created once per Idempotency-Key, and its link is not shown again', async () => {
    const create = () =>
      app.admin('POST', '/operator/member.invite', {
        body: { businessUnitId: unit, role: 'door' },
        headers: { 'idempotency-key': unit },
      });
    const [first, again] = [await create(), await create()];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(first.body.link).toMatch(/#[\w-]{43}$/);
    expect(again.body).toEqual({ ...first.body, link: null });
    const stored = await app.database.sql('select * from console.idempotency_key');
    expect(JSON.stringify(stored)).not.toContain(secretOf(first.body.link));
    expect((await run('invitation.list', { businessUnitId: unit })).body.invitations).toHaveLength(
      1,
    );
  });

  test('that an interrupted request has created is found by its retry, without the link', async () => {
    const create = () =>
      app.admin('POST', '/operator/member.invite', {
        body: { businessUnitId: unit, role: 'door' },
        headers: { 'idempotency-key': `interrupted ${unit}` },
      });
    const first = await create();
    // The request has stored no response, and its lease has ended.
    await app.database.sql(
      `update console.idempotency_key set response_status = null, response_body = null, lease_until = now() - interval '1 s'
       where key like $1`,
      [`%interrupted ${unit}`],
    );
    const again = await create();
    expect([again.status, again.body]).toEqual([201, { ...first.body, link: null }]);
  });

  test('is in the audit log when it is accepted, and when it is for somebody else', async () => {
    const input = { businessUnitId: unit, role: 'viewer', email: 'vera@example.com' };
    const { id, link } = await app.command('member.invite', input);
    const [dario, vera] = [await app.signIn('dario'), await app.signIn('vera')];
    await accept(dario, link);
    await accept(vera, link);
    await accept(vera, link);
    const { body } = await run('audit.list', {
      businessUnitId: unit,
      service: 'console',
      operation: 'invitation.accept',
    });
    expect(body.entries).toMatchObject([
      { actor: { id: await idOf(vera) }, records: [id, await idOf(vera)], result: 'done' },
      { actor: { id: await idOf(dario) }, result: 'refused', reason: 'INVITATION_FOR_OTHER' },
    ]);
  });

  test('of operator.invite makes an administrator of the platform', async () => {
    const { link } = await app.command('operator.invite', { platformAdmin: true });
    const paula = await app.signIn('paula');
    await accept(paula, link);
    const session = (await paula.send('/api/session')).json();
    expect([session.operator.platformAdmin, session.units]).toEqual([true, []]);
    // An administrator becomes a member by an invitation, too.
    const own = await paula.post('/api/platform/operator/operator.invite', {
      businessUnitId: unit,
      role: 'owner',
    });
    expect(own.status).toBe(201);
    await accept(paula, own.json().link);
    const { units } = (await paula.send('/api/session')).json();
    expect(units).toMatchObject([{ id: unit, role: 'owner' }]);
    expect(units[0].permissions).not.toContain('platform');
  });

  test.each([
    ['nothing', {}],
    ['a business unit without a role', { businessUnitId: 'unit_1' }],
    ['a role without a business unit', { role: 'owner' }],
  ])('of operator.invite is a 400 for %s', async (_, input) => {
    expect((await run('operator.invite', input)).status).toBe(400);
  });
});

describe('the administrators of the platform', () => {
  test('are listed with the invitations that make one', async () => {
    const admin = await app.signIn('fiona');
    const { link } = await app.command('operator.invite', { platformAdmin: true });
    await accept(admin, link);
    const open = await app.command('operator.invite', { platformAdmin: true });
    await app.command('member.invite', { businessUnitId: unit, role: 'viewer' });
    const { administrators, invitations } = (await run('operator.listAdmins', {})).body;
    expect(administrators).toContainEqual({
      operatorId: await idOf(admin),
      name: 'Fiona Finance',
      email: expect.any(String),
    });
    expect(invitations.map(({ id }: { id: string }) => id)).toContain(open.id);
    for (const invitation of invitations) expect(invitation.platformAdmin).toBe(true);
  });

  test('are removed with their next request, and keep their business units', async () => {
    const admin = await app.signIn('dario');
    await app.join(admin, unit, 'viewer');
    await accept(admin, (await app.command('operator.invite', { platformAdmin: true })).link);
    const operatorId = await idOf(admin);
    const list = () => admin.post('/api/platform/operator/operator.listAdmins', {});
    expect((await list()).status).toBe(200);
    expect((await run('operator.removeAdmin', { operatorId })).body).toMatchObject({ operatorId });
    expect((await list()).status).toBe(403);
    expect((await admin.send('/api/session')).json().units).toContainEqual(
      expect.objectContaining({ id: unit }),
    );
    expect((await run('operator.removeAdmin', { operatorId })).status).toBe(404);
    const log = await app.database.sql<{ operation: string; result: string }>(
      "select operation, result from console.audit_entry where operation = 'operator.removeAdmin' and $1 = any(records)",
      [operatorId],
    );
    expect(log).toContainEqual({ operation: 'operator.removeAdmin', result: 'done' });
    expect(log.filter(({ result }) => result === 'done')).toHaveLength(1);
  });

  test('are not made by a revoked invitation', async () => {
    const { id, link } = await app.command('operator.invite', { platformAdmin: true });
    expect((await run('operator.revokeInvitation', { id })).body).toMatchObject({ id });
    const { status, json } = await accept(await app.signIn('vera'), link);
    expect([status, json().error.details]).toEqual([412, [{ reason: 'INVITATION_ENDED' }]]);
    const { invitations } = (await run('operator.listAdmins', {})).body;
    expect(invitations.map((each: { id: string }) => each.id)).not.toContain(id);
  });

  test('have invitations apart from those of business units', async () => {
    const { id } = await app.command('member.invite', { businessUnitId: unit, role: 'viewer' });
    expect((await run('operator.revokeInvitation', { id })).status).toBe(404);
    const { invitations } = (await run('invitation.list', { businessUnitId: unit })).body;
    expect(invitations).toMatchObject([{ id }]);
  });
});
