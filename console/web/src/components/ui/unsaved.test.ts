import { expect, test } from 'vitest';
import { isReleased, type Unsaved } from './unsaved.ts';

test.each<[string, Unsaved, boolean, boolean]>([
  ['while the request runs', 'result', false, false],
  ['while it runs again after a failure', 'result', true, false],
  ['after a success', 'nothing', false, true],
  ['after a success, with text that was typed meanwhile', 'text', false, false],
  ['after a failure with typed text', 'text', true, false],
  ['after a failure without text', 'nothing', true, false],
])(
  'a navigation that is held goes on %s (%s, failed: %j): %j',
  (_, unsaved, hasFailed, expected) => {
    expect(isReleased(unsaved, hasFailed)).toBe(expected);
  },
);
