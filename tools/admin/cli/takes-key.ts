import { type Command, isRead } from '@event-api/contracts/operator/command';

/** Whether an `Idempotency-Key` has an effect on the command. */
export const takesKey = (command: Command): boolean =>
  !isRead(command) && !command.operations.some(({ config }) => config.isOnce);
