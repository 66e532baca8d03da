import { useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { classes } from '../../components/ui/classes.ts';
import { CopyText } from '../../components/ui/copy.tsx';
import { Instant } from '../../components/ui/instant.tsx';
import { formatMoney } from '../../format/money.ts';
import { common } from '../../text/common.ts';
import { detailText } from '../../text/detail.ts';
import { commandsText } from '../../text/text.commands.ts';
import { JsonView } from './json-view.tsx';
import { labelOf } from './labels.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The response of a command: as words and values, or as JSON. */
export function ResultView({ value }: { value: unknown }) {
  const [isJson, setJson] = useState(false);
  const isEmpty = isRecord(value) && Object.keys(value).length === 0;
  if (isEmpty) return <p className="text-muted">{commandsText.emptyResponse}</p>;
  return (
    <div className="flex flex-col gap-2">
      {isJson ? <JsonView value={value} /> : <Value value={value} />}
      <div>
        <Button kind="quiet" aria-pressed={isJson} onClick={() => setJson(!isJson)}>
          {commandsText.json}
        </Button>
      </div>
    </div>
  );
}

const hasRecords = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isRecord) : isRecord(value);

const isId = (text: string): boolean => /^[a-z]+_[0-9a-z]{20,}$/.test(text);
const isInstant = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);

/** A value in a record, or of a list in it. */
function Value({
  value,
  currency,
  isAmount = false,
}: {
  value: unknown;
  /** That of the amounts of the record and of what is in it. */
  currency?: string | undefined;
  isAmount?: boolean;
}) {
  if (value === null || value === undefined) return <>{common.noValue}</>;
  if (typeof value === 'boolean') return <>{value ? common.yes : common.no}</>;
  if (typeof value === 'number' && isAmount && currency) return <>{formatMoney(value, currency)}</>;
  if (typeof value === 'string' && isId(value)) {
    return <CopyText text={value} label={detailText.copyId} />;
  }
  if (typeof value === 'string' && isInstant(value)) return <Instant at={value} style="second" />;
  if (Array.isArray(value)) {
    if (value.length === 0) return <>{common.none}</>;
    return (
      <ol className="flex flex-col gap-2">
        {value.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index} className={isRecord(item) ? 'rounded-md border border-line p-3' : ''}>
            <Value value={item} currency={currency} />
          </li>
        ))}
      </ol>
    );
  }
  if (!isRecord(value)) return <>{String(value)}</>;
  const own = typeof value.currency === 'string' ? value.currency : currency;
  // A button reads the next page.
  const fields = Object.entries(value).filter(([name]) => name !== 'nextCursor');
  return (
    <dl className="grid grid-cols-[minmax(5rem,max-content)_1fr] gap-x-4 gap-y-1">
      {fields.map(([name, each]) => {
        // Records inside of a record get the whole width.
        const width = hasRecords(each) ? 'col-span-2' : '';
        return (
          <div key={name} className="contents">
            <dt className={classes('text-muted', width)}>{labelOf(name)}</dt>
            <dd className={classes('min-w-0 wrap-anywhere', width)}>
              <Value value={each} currency={own} isAmount={/amount$/i.test(name)} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
