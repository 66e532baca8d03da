import type { Operation } from '@event-api/contracts/operation';
import { groupCommands } from '@event-api/contracts/operator/command';
import { operatorOperations } from '@event-api/contracts/operator/operations';
import { endByCommand, endLoad } from '../../load/end-command.ts';
import { prepareByCommand, prepareLoad } from '../../load/prepare-command.ts';
import { type Composition, personComposition } from '../composed.ts';

/** The commands that the tool composes. `baseUrl` is the address of the gateway. */
const compositionsAt = ({ baseUrl }: { baseUrl: string }): Composition[] => [
  personComposition,
  {
    operation: prepareLoad,
    run: (operator, input) => prepareByCommand({ baseUrl, operator }, input),
  },
  { operation: endLoad, run: endByCommand },
];

export const compositionOf = (
  operation: Operation,
  platform: { baseUrl: string },
): Composition | undefined =>
  compositionsAt(platform).find((composition) => composition.operation === operation);

/** All commands, in the order that `help` lists them. */
export const commands = groupCommands([
  ...operatorOperations,
  ...compositionsAt({ baseUrl: '' }).map(({ operation }) => operation),
]);
