import { useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { common } from '../../text/common.ts';
import { detailText } from '../../text/detail.ts';
import { commandsText } from '../../text/text.commands.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The response of a command: as words and values, or as JSON. */
export function ResultView({ value }: { value: unknown }) {
  const [isJson, setJson] = useState(false);
  return (
    <div className="flex flex-col gap-2">
      {isJson ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <pre tabIndex={0} className="max-h-96 overflow-auto rounded-md bg-subtle p-3 text-xs">
          {JSON.stringify(value, null, 2)}
        </pre>
      ) : (
        <Value value={value} />
      )}
      <div>
        <Button kind="quiet" aria-pressed={isJson} onClick={() => setJson(!isJson)}>
          {commandsText.json}
        </Button>
      </div>
    </div>
  );
}

function Value({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <>{common.noValue}</>;
  if (typeof value === 'boolean') return <>{value ? common.yes : common.no}</>;
  if (typeof value === 'string' && /^[a-z]+_[0-9a-z]{20,}$/.test(value)) {
    return <CopyText text={value} label={detailText.copyId} />;
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return <>{common.none}</>;
    return (
      <ol className="flex flex-col gap-2">
        {value.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index} className={isRecord(item) ? 'rounded-md border border-line p-3' : ''}>
            <Value value={item} />
          </li>
        ))}
      </ol>
    );
  }
  if (!isRecord(value)) return <>{String(value)}</>;
  return (
    <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-4 gap-y-1">
      {Object.entries(value).map(([name, each]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0">
            <Value value={each} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
