import { common } from '../../text/common.ts';
import { Skeleton } from './states.tsx';

/**
 * A figure: its value, a gray bar until it is read, or a dash if its part of the platform does not
 * respond.
 */
export function FigureValue({
  value,
  isMissing,
  className,
}: {
  /** Undefined until it is read. */
  value: string | undefined;
  isMissing: boolean;
  className: string;
}) {
  if (value !== undefined) return value;
  if (!isMissing) return <Skeleton className={className} />;
  return (
    <abbr title={common.figureMissing} className="no-underline">
      –
    </abbr>
  );
}
