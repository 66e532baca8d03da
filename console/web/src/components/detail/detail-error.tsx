import { ApiError } from '../../api/error.ts';
import { detailText } from '../../text/detail.ts';
import { Empty, ErrorNote } from '../ui/states.tsx';

/** In place of a record that does not exist, or not in this event or business unit. */
export const MissingRecord = () => (
  <Empty title={detailText.missing}>{detailText.missingText}</Empty>
);

/** In place of a record that cannot be read. */
export const DetailError = ({ error, onRetry }: { error: Error; onRetry: () => void }) =>
  error instanceof ApiError && error.code === 404 ? (
    <MissingRecord />
  ) : (
    <ErrorNote error={error} onRetry={onRetry} />
  );
