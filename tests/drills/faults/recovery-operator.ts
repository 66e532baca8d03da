import type { OperatorClient } from '@event-api/tools/admin/operator-client';
import type { DrillContext } from './fault.ts';

/** The operator of a recovery. The report lists the commands that have succeeded. */
export const recoveryOperator = ({
  environment,
  history,
}: DrillContext): Pick<OperatorClient, 'call'> => ({
  async call(operation, input) {
    const output = await environment.operator.call(operation, input);
    history.commands.push(operation.config.operationId);
    return output;
  },
});
