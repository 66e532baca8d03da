import { serviceNames } from '@event-api/contracts/topology';
import type { SeededRandom } from '@event-api/platform/testing/random';
import type { DrillEnvironment } from '../environment/environment.ts';
import type { SaleFixture } from '../environment/sales.ts';
import type { History } from '../history/history.ts';
import type { Loss } from '../history/loss.ts';
import type { Owner } from '../history/responses.ts';

/** What a fault needs to run. */
export interface DrillContext {
  environment: DrillEnvironment;
  sales: readonly SaleFixture[];
  history: History;
  random: SeededRandom;
  /** What restores have lost, by the fault. Only a restore may lose anything. */
  losses: Map<Fault, Loss>;
}

/** A fault and its recovery steps. */
export interface Fault {
  name: string;
  /** Two concurrent faults have different targets. */
  target: string;
  /** Requests of these owners may fail during the fault and the recovery. */
  affects: readonly Owner[];
  /** The fault is announced: requests in progress are completed. */
  isGraceful?: boolean;
  /** Minimum duration. Up to half of it is added at random. */
  lastsMs: number;
  begin(context: DrillContext): Promise<void>;
  /** Runs under load before the fault, while everything works: a backup is taken. */
  prepare?(context: DrillContext): Promise<void>;
  /** Restores what `begin` changed, also if `begin` failed partway. */
  end(context: DrillContext): Promise<void>;
}

export const noServices: readonly Owner[] = [];
export const allServices: readonly Owner[] = ['gateway', ...serviceNames];
