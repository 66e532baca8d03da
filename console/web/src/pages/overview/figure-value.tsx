import { Skeleton } from '../../components/ui/states.tsx';
import { overviewText } from '../../text/overview.ts';

/** A figure: its value, a gray bar until it is read, or a dash if its part of the platform does not respond. */
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
    <abbr title={overviewText.figureMissing} className="no-underline">
      –
    </abbr>
  );
}
