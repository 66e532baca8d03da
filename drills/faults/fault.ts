import type { Owner } from '../answers.ts';
import type { History } from '../journal.ts';
import type { SeededRandom } from '../random.ts';
import type { SaleFixture } from '../shops.ts';
import { type DrillEnvironment, services } from '../surroundings.ts';

/** Whatever a fault needs. */
export interface DrillContext {
  environment: DrillEnvironment;
  sales: readonly SaleFixture[];
  history: History;
  random: SeededRandom;
}

/** Something that goes wrong, and how it is put right. */
export interface Fault {
  name: string;
  /** What is hurt: two faults at once hurt two things. */
  target: string;
  /** Whose requests may be refused while it lasts and until it is recovered from. */
  affects: readonly Owner[];
  /** It is announced: what has begun is answered. */
  isGraceful?: boolean;
  /** How long it lasts, before chance makes it up to a half longer. */
  lastsMs: number;
  begin(context: DrillContext): Promise<void>;
  /** Puts back whatever `begin` broke, also where that failed half-way. */
  end(context: DrillContext): Promise<void>;
}

export const noServices: readonly Owner[] = [];
export const allServices: readonly Owner[] = ['gateway', ...services];
