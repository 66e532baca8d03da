import { type DrillEnvironment, services } from '../environment/environment.ts';
import type { SaleFixture } from '../environment/sales.ts';
import type { History } from '../history/history.ts';
import type { SeededRandom } from '../history/random.ts';
import type { Owner } from '../history/responses.ts';

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
