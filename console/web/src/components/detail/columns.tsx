import type { ReactNode } from 'react';

/** The facts of a record beside its timeline where there is room for both, otherwise above it. */
export function DetailColumns({
  children,
  timeline,
}: {
  children: ReactNode;
  timeline: ReactNode;
}) {
  return (
    <div className="@container">
      <div className="grid items-start gap-4 @4xl:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-4">{children}</div>
        {timeline}
      </div>
    </div>
  );
}
