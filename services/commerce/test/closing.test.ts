import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atStep, disableGuard } from '@event-api/platform/testing/switches/switches';
import { beforeEach, expect, test } from 'vitest';
import { closeDays } from '../src/ledger/close-days.ts';
import { findLastDay, listDigests } from '../src/ledger/closing.queries.ts';
import { csvOf } from '../src/ledger/csv.rules.ts';
import { listEntries } from '../src/ledger/ledger.queries.ts';
import { type LedgerSigner, readLedgerSigner } from '../src/ledger/signing-key.ts';
import { database, db, useDatabase } from './context.ts';

useDatabase();

beforeEach(() =>
  database.sql(
    'truncate commerce.journal_entry, commerce.journal_day, commerce.journal_digest restart identity',
  ),
);

const newSigner = (): LedgerSigner => readLedgerSigner(randomBytes(32).toString('base64url'));

const insert = `insert into commerce.journal_entry (business_unit_id, event_id, order_id, cause, cause_id, debit, credit, amount, currency, posted_at)
  values ($1, 'evt_1', 'ord_1', 'charge', $2, 'provider', 'sales', $3, $4, $5)`;
const post = (
  causeId: string,
  at: string,
  { unit = 'unit_1', amount = 100, currency = 'EUR' } = {},
) => database.sql(insert, [unit, causeId, amount, currency, at]);

const close = (now: string, signer: LedgerSigner | null = null) =>
  closeDays({ db, signer }, new Date(now));
const digests = (unit = 'unit_1') => listDigests(db, unit, {}, null, 100);
const daysOf = async (unit?: string) =>
  (await digests(unit)).map(({ day, currency, entries }) => `${day} ${currency} ${entries}`);

test('closes each day minutes after its end, with a digest per unit and currency', async () => {
  expect(await close('2026-03-05T12:00:00Z')).toEqual([]);
  await post('stl_1', '2026-03-01T00:00:00Z');
  await post('stl_2', '2026-03-01T23:59:59.999Z');
  await post('stl_3', '2026-03-01T12:00:00Z', { currency: 'JPY', amount: 7 });
  await post('stl_4', '2026-03-01T12:00:00Z', { unit: 'unit_2' });
  await post('stl_5', '2026-03-03T00:00:00Z');
  expect(await close('2026-03-02T00:09:59Z')).toEqual([]);
  expect(await close('2026-03-02T00:10:00Z')).toEqual(['2026-03-01']);
  expect(await close('2026-03-04T00:10:00Z')).toEqual(['2026-03-02', '2026-03-03']);
  expect(await close('2026-03-04T00:10:00Z')).toEqual([]);
  expect(await findLastDay(db)).toBe('2026-03-03');
  expect(await daysOf()).toEqual(['2026-03-01 EUR 2', '2026-03-01 JPY 1', '2026-03-03 EUR 1']);
  expect(await daysOf('unit_2')).toEqual(['2026-03-01 EUR 1']);
  const [first, yen, third] = await digests();
  expect(first?.accounts).toEqual([
    { account: 'provider', debit: 200, credit: 0 },
    { account: 'sales', debit: 0, credit: 200 },
  ]);
  expect([first?.previousHash, yen?.previousHash, third?.previousHash]).toEqual([
    null,
    null,
    first?.hash,
  ]);
  expect(first?.signature).toBeNull();
});

test('closed days and digests are never changed', async () => {
  await post('stl_1', '2026-03-01T12:00:00Z');
  await close('2026-03-02T00:10:00Z');
  for (const table of ['journal_day', 'journal_digest']) {
    await expect(database.sql(`delete from commerce.${table}`)).rejects.toThrow('never changed');
    await expect(database.sql(`update commerce.${table} set day = '2026-03-02'`)).rejects.toThrow(
      'never changed',
    );
  }
});

test('an entry with a time in a closed day is posted on the next day', async () => {
  await post('stl_1', '2026-03-01T12:00:00Z');
  await close('2026-03-03T00:10:00Z');
  await post('stl_2', '2026-03-01T13:00:00Z');
  const [, late] = await listEntries(db, { businessUnitId: 'unit_1' }, null, 10);
  expect(late?.postedAt).toEqual(new Date('2026-03-03T00:00:00Z'));
  await close('2026-03-04T00:10:00Z');
  expect(await daysOf()).toEqual(['2026-03-01 EUR 1', '2026-03-03 EUR 1']);
});

test('replicas that close at once store each digest once', async () => {
  for (let day = 1; day <= 9; day++) await post(`stl_${day}`, `2026-03-0${day}T12:00:00Z`);
  const closed = await Promise.all([1, 2, 3].map(() => close('2026-03-10T00:10:00Z')));
  expect(closed.flat().sort()).toEqual(
    Array.from({ length: 9 }, (_, index) => `2026-03-0${index + 1}`),
  );
  expect(await daysOf()).toHaveLength(9);
});

/** Posts an entry of now in a transaction that is open until `commit`. */
async function openWriter(causeId: string): Promise<{ commit: () => Promise<void> }> {
  const session = await database.session();
  await session.sql('begin');
  await session.sql(insert, ['unit_1', causeId, 100, 'EUR', new Date()]);
  return {
    commit: async () => {
      await session.sql('commit');
      await session.end();
    },
  };
}

const today = () => new Date().toISOString().slice(0, 10);
const afterToday = () => new Date(Date.now() + 86_400_000 + 11 * 60_000).toISOString();

test.each([
  { guard: 'on', entries: 2 },
  // The control: the digest lacks an entry of its day.
  { guard: 'off', entries: 1 },
])(
  'a day is not closed while a transaction that began in it writes, guard $guard',
  async ({ guard, entries }) => {
    if (guard === 'off') disableGuard('ledger.writers');
    const writer = await openWriter('stl_1');
    await post('stl_2', new Date().toISOString());
    const early = await close(afterToday());
    expect(early).toEqual(guard === 'on' ? [] : [today()]);
    await writer.commit();
    await close(afterToday());
    expect(await daysOf()).toEqual([`${today()} EUR ${entries}`]);
  },
);

test('a transaction that begins after the end of a day does not delay it', async () => {
  await post('stl_1', '2026-03-01T12:00:00Z');
  const writer = await openWriter('stl_2');
  expect(await close('2026-03-02T00:10:00Z')).toEqual(['2026-03-01']);
  await writer.commit();
});

test('a process that stops before it stores a day leaves it open', async () => {
  await post('stl_1', '2026-03-01T12:00:00Z');
  atStep('ledger.digested', () => {
    throw new Error('stopped');
  });
  await expect(close('2026-03-02T00:10:00Z')).rejects.toThrow('stopped');
  expect(await findLastDay(db)).toBeNull();
  atStep('ledger.digested', () => {});
  expect(await close('2026-03-02T00:10:00Z')).toEqual(['2026-03-01']);
});

/** Runs `docs/verify-ledger.py` over files as an auditor has them. */
async function verify(changes: {
  csv?: (csv: string) => string;
  digests?: (rows: Awaited<ReturnType<typeof digests>>) => unknown[];
  key?: string | undefined;
}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ledger-'));
  const csv = csvOf(await listEntries(db, { businessUnitId: 'unit_1' }, null, 1000));
  const rows = await digests();
  const response = {
    closedThrough: await findLastDay(db),
    digests: changes.digests?.(rows) ?? rows,
  };
  const files = [join(folder, 'digests.json'), join(folder, 'journal.csv')] as const;
  await writeFile(files[0], JSON.stringify(response));
  await writeFile(files[1], changes.csv?.(csv) ?? csv);
  const script = new URL('../../../docs/verify-ledger.py', import.meta.url).pathname;
  const result = promisify(execFile)('python3', [
    script,
    ...files,
    ...(changes.key ? [changes.key] : []),
  ]);
  return result.then(
    ({ stdout }) => stdout.trim(),
    ({ stderr }) => stderr.trim(),
  );
}

test('the published program verifies digests, and finds what was changed', async () => {
  const [signer, other] = [newSigner(), newSigner()];
  await post('stl_1', '2026-03-01T12:00:00Z');
  await post('stl_2', '2026-03-01T12:00:00Z', { amount: 5 });
  await post('stl_3', '2026-03-02T12:00:00Z');
  await post('stl_4', '2026-03-03T12:00:00Z');
  await close('2026-03-03T00:10:00Z', signer);
  const key = signer.publicKey;
  expect(await verify({})).toBe('2 digests match');
  expect(await verify({ key })).toBe('2 digests match');
  expect(await verify({ key: other.publicKey })).toBe(
    '2026-03-01 EUR: bad signature\n2026-03-02 EUR: bad signature',
  );
  expect(await verify({ csv: (csv) => csv.replace(',5,EUR', ',6,EUR') })).toBe(
    '2026-03-01 EUR: other entries\n2026-03-01 EUR: bad signature',
  );
  expect(await verify({ digests: ([first]) => [first] })).toBe('2026-03-02 EUR: no digest');
  expect(
    await verify({ digests: ([first, second]) => [{ ...first, hash: second?.hash }, second] }),
  ).toBe('2026-03-01 EUR: other entries\n2026-03-02 EUR: other entries');
  const unsigned = (rows: Awaited<ReturnType<typeof digests>>) =>
    rows.map((row) => ({ ...row, signature: null }));
  expect(await verify({ digests: unsigned })).toBe('2 digests match');
  expect(await verify({ digests: unsigned, key })).toContain('bad signature');
});

test('after a restore the former days keep their digests, and a published lost day differs', async () => {
  const signer = newSigner();
  const postDay = () => post('stl_1', '2026-03-01T12:00:00Z');
  await postDay();
  await post('stl_2', '2026-03-02T12:00:00Z');
  await close('2026-03-03T00:10:00Z', signer);
  const published = await digests();
  // The backup is from the end of the first day. The provider reports the lost payment again.
  await database.sql(
    'truncate commerce.journal_entry, commerce.journal_day, commerce.journal_digest restart identity',
  );
  await postDay();
  await post('stl_2', '2026-03-04T12:00:00Z');
  await close('2026-03-05T00:10:00Z', signer);
  const [first, second] = await digests();
  expect(first).toEqual(published[0]);
  expect(second).toMatchObject({ day: '2026-03-04', previousHash: published[0]?.hash });
  expect(await verify({ key: signer.publicKey })).toBe('2 digests match');
  expect(await verify({ digests: () => published })).toBe(
    '2026-03-02 EUR: other entries\n2026-03-02 EUR: bad signature\n2026-03-04 EUR: no digest',
  );
});
