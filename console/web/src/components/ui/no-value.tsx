import { common } from '../../text/common.ts';

/** Stands for a value that a record does not have. A row on a phone leaves it out with its name. */
export const NoValue = () => (
  <span data-no-value className="text-muted">
    {common.noValue}
  </span>
);
