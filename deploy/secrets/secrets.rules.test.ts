import { expect, test } from 'vitest';
import { acceptedValues, type Credential, decideStep } from './secrets.rules.ts';

const a = { slot: 'a', secret: 'one' } as const;
const b = { slot: 'b', secret: 'two' } as const;
const stable: Credential = { phase: 'stable', value: a };
const accepting: Credential = { phase: 'accepting', value: a, next: b };
const using: Credential = { phase: 'using', value: b, previous: a };

test.each([
  [stable, 'accept', { outcome: 'advanced', credential: accepting }],
  [stable, 'use', { outcome: 'out_of_order', missing: 'accept' }],
  [stable, 'finish', { outcome: 'unchanged' }],
  [accepting, 'accept', { outcome: 'unchanged' }],
  [accepting, 'use', { outcome: 'advanced', credential: using }],
  [accepting, 'finish', { outcome: 'out_of_order', missing: 'use' }],
  [using, 'accept', { outcome: 'out_of_order', missing: 'finish' }],
  [using, 'use', { outcome: 'unchanged' }],
  [using, 'finish', { outcome: 'advanced', credential: { phase: 'stable', value: b } }],
] as const)('decides for %j and the step %s', (credential, step, decision) => {
  expect(decideStep(credential, step, 'two')).toEqual(decision);
});

test('the second rotation uses the first login again', () => {
  expect(decideStep({ phase: 'stable', value: b }, 'accept', 'three')).toEqual({
    outcome: 'advanced',
    credential: { phase: 'accepting', value: b, next: { slot: 'a', secret: 'three' } },
  });
});

test.each([
  [stable, [a]],
  [accepting, [a, b]],
  [using, [b, a]],
] as const)('lists the accepted values of %j, the one in use first', (credential, values) => {
  expect(acceptedValues(credential)).toEqual(values);
});
