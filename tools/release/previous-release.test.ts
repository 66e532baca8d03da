import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeOthers } from './previous-release.ts';

test('the sources of other releases are removed, drafts and other folders stay', () => {
  const parent = mkdtempSync(join(tmpdir(), 'releases-'));
  const [current, earlier] = ['a'.repeat(40), 'b'.repeat(40)];
  try {
    const kept = [current, `${current}.draft-1`, 'notes'];
    for (const name of [...kept, earlier])
      mkdirSync(join(parent, name, 'services'), { recursive: true });
    removeOthers(parent, current);
    expect(readdirSync(parent).toSorted()).toEqual(kept.toSorted());
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
});
