import type { Owner } from '../answers.ts';
import type { Journal } from '../journal.ts';
import type { Choices } from '../random.ts';
import type { Shop } from '../shops.ts';
import { type Surroundings, services } from '../surroundings.ts';

/** Whatever a fault needs. */
export interface Stage {
  around: Surroundings;
  shops: readonly Shop[];
  journal: Journal;
  choices: Choices;
}

/** Something that goes wrong, and how it is put right. */
export interface Fault {
  name: string;
  /** What is hurt: two faults at once hurt two things. */
  target: string;
  /** Whose requests may be refused while it lasts and until it is recovered from. */
  excuses: readonly Owner[];
  /** It is announced: what has begun is answered. */
  isGentle?: boolean;
  /** How long it lasts, before chance makes it up to a half longer. */
  lastsMs: number;
  begin(stage: Stage): Promise<void>;
  /** Puts back whatever `begin` broke, also where that failed half-way. */
  end(stage: Stage): Promise<void>;
}

export const nobody: readonly Owner[] = [];
export const everybody: readonly Owner[] = ['gateway', ...services];
