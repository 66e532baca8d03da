import { describe, expect, test } from 'vitest';
import { createActivity } from './activity.ts';

describe('createActivity', () => {
  test('a process is quiet when it has had nothing to do for the given time', () => {
    let now = 0;
    const activity = createActivity(() => now, 100);
    now = 99;
    expect(activity.isQuiet()).toBe(false);
    activity.note();
    now = 198;
    expect(activity.isQuiet()).toBe(false);
    now = 199;
    expect(activity.isQuiet()).toBe(true);
  });

  test('listeners are called once when a quiet process resumes, until they are removed', () => {
    let now = 0;
    let calls = 0;
    const activity = createActivity(() => now, 100);
    const remove = activity.onResume(() => (calls += 1));
    activity.note();
    expect(calls).toBe(0);
    now = 200;
    activity.note();
    activity.note();
    expect(calls).toBe(1);
    remove();
    now = 400;
    activity.note();
    expect(calls).toBe(1);
  });
});
