/**
 * A password or key. Servers that allow one password per login have two logins for each role: slots
 * `a` and `b`.
 */
export interface SecretValue {
  slot: 'a' | 'b';
  secret: string;
}

/**
 * A credential. `value` is the one that clients use. During a rotation a second one is accepted:
 * `next` before clients use it, `previous` after that.
 */
export type Credential =
  | { phase: 'stable'; value: SecretValue }
  | { phase: 'accepting'; value: SecretValue; next: SecretValue }
  | { phase: 'using'; value: SecretValue; previous: SecretValue };

/** The steps of a rotation. Each is rolled out to servers and processes before the next one. */
export const rotationSteps = ['accept', 'use', 'finish'] as const;
export type RotationStep = (typeof rotationSteps)[number];

export type StepDecision =
  | { outcome: 'advanced'; credential: Credential }
  /** The step was taken before. */
  | { outcome: 'unchanged' }
  | { outcome: 'out_of_order'; missing: RotationStep };

/**
 * Takes one step of a rotation. A step can be repeated and none can be skipped, so that every
 * accepted credential is known to its servers before a client uses it. `fresh` becomes the new
 * secret.
 */
export function decideStep(
  credential: Credential,
  step: RotationStep,
  fresh: string,
): StepDecision {
  const { value } = credential;
  switch (credential.phase) {
    case 'stable': {
      if (step === 'finish') return { outcome: 'unchanged' };
      if (step === 'use') return { outcome: 'out_of_order', missing: 'accept' };
      const next: SecretValue = { slot: value.slot === 'a' ? 'b' : 'a', secret: fresh };
      return { outcome: 'advanced', credential: { phase: 'accepting', value, next } };
    }
    case 'accepting': {
      if (step === 'accept') return { outcome: 'unchanged' };
      if (step === 'finish') return { outcome: 'out_of_order', missing: 'use' };
      const used: Credential = { phase: 'using', value: credential.next, previous: value };
      return { outcome: 'advanced', credential: used };
    }
    case 'using': {
      if (step === 'use') return { outcome: 'unchanged' };
      if (step === 'accept') return { outcome: 'out_of_order', missing: 'finish' };
      return { outcome: 'advanced', credential: { phase: 'stable', value } };
    }
  }
}

/** The values that servers accept, the one in use first. */
export function acceptedValues(credential: Credential): SecretValue[] {
  switch (credential.phase) {
    case 'stable':
      return [credential.value];
    case 'accepting':
      return [credential.value, credential.next];
    case 'using':
      return [credential.value, credential.previous];
  }
}
