import { expect, test } from 'vitest';
import { ReplayChanges } from './webhook-endpoints.ts';

const codesOf = (body: object) =>
  (ReplayChanges.safeParse(body).error?.issues ?? []).map((issue) => [
    issue.path.join('.'),
    issue.code === 'custom' ? (issue.params?.code ?? 'invalid') : issue.code,
  ]);

test.each([
  [{ changeId: 'chg_1' }, []],
  [{ from: 1, to: 1 }, []],
  [{ from: 1 }, [['to', 'required']]],
  [{ from: 1, to: null }, [['to', 'required']]],
  [{ to: 1 }, [['from', 'required']]],
  [
    {},
    [
      ['from', 'required'],
      ['to', 'required'],
    ],
  ],
  [{ from: 2, to: 1 }, [['to', 'invalid']]],
  [{ changeId: 'chg_1', from: 1 }, [['from', 'invalid']]],
  [{ changeId: 'chg_1', to: 1 }, [['to', 'invalid']]],
])('a replay of %j lacks or contradicts %j', (body, issues) => {
  expect(codesOf(body)).toEqual(issues);
});
