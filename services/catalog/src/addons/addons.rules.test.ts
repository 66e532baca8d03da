import { describe, expect, test } from 'vitest';
import { type AddonPatch, decideAddonCreate, decideAddonUpdate } from './addons.rules.ts';

const at = (time: string) => new Date(`2027-05-10T${time}Z`);
const limits = {
  opensAt: at('09:00:00'),
  closesAt: at('18:00:00'),
  minPerOrder: 2,
  maxPerOrder: 5,
};
const addon = {
  ...limits,
  name: 'Workshop',
  description: null,
  status: 'open' as const,
  capacity: 10,
  priceAmount: 0,
  taxRateId: null,
  sortOrder: 0,
};
const windowIssue = { field: 'closesAt', issue: 'must be after opensAt', code: 'invalid_value' };
const limitIssue = {
  field: 'maxPerOrder',
  issue: 'must be at least minPerOrder',
  code: 'invalid_value',
};

describe('decideAddonCreate', () => {
  test('reports all contradictions before the archived event', () => {
    const wrong = { ...limits, closesAt: at('08:00:00'), maxPerOrder: 1 };
    const issues = [windowIssue, limitIssue];
    expect(decideAddonCreate(wrong, true)).toEqual({ outcome: 'invalid', issues });
    expect(decideAddonCreate(limits, true)).toEqual({ outcome: 'event_archived' });
    expect(decideAddonCreate(limits, false)).toEqual({ outcome: 'create' });
  });
});

describe('decideAddonUpdate', () => {
  test.each<[string, AddonPatch, object[]]>([
    ['a new end before the old beginning', { closesAt: at('08:00:00') }, [windowIssue]],
    ['a new minimum above the old maximum', { minPerOrder: 6 }, [limitIssue]],
    ['no end any more', { closesAt: null }, []],
    ['another capacity', { capacity: 1 }, []],
  ])('validates the add-on as it would be after the update: %s', (_what, patch, issues) => {
    expect(decideAddonUpdate(addon, patch, false)).toEqual(
      issues.length > 0 ? { outcome: 'invalid', issues } : { outcome: 'changed', changes: patch },
    );
  });

  test('reports the archived event before contradictions', () => {
    expect(decideAddonUpdate(addon, { minPerOrder: 6 }, true)).toEqual({
      outcome: 'event_archived',
    });
  });
});
