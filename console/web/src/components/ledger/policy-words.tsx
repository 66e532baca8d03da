import { useTicketTypes } from '../../api/event-data.ts';
import { useEvent } from '../../api/unit.ts';
import { formatInstant, isInstant } from '../../format/time.ts';
import { bandText, formPageText as text } from '../../text/settings.ts';
import { type EditedBand, sentenceOf } from './bands.rules.ts';

export interface ShownPolicy {
  text: string;
  refundableUntil: string | null;
  bands: readonly EditedBand[];
  automatic: boolean;
}

/** A refund policy in words: its text, its rules and its end. */
export function PolicyWords({ text: words, refundableUntil, bands, automatic }: ShownPolicy) {
  const { timezone, currency } = useEvent();
  const ticketTypes = useTicketTypes().data?.ticketTypes ?? [];
  return (
    <>
      <p dir="auto" className={words ? 'whitespace-pre-line wrap-anywhere' : 'text-muted'}>
        {words || text.noPolicy}
      </p>
      {bands.length > 0 && (
        <div className="mt-3 border-t border-line pt-3">
          <p className="text-xs font-medium text-muted">{bandText.preview}</p>
          <ol className="mt-1 list-decimal pl-5" dir="auto">
            {bands.map((band, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is only shown
              <li key={index} className="wrap-anywhere">
                {sentenceOf(band, { currency, timezone, ticketTypes })}
              </li>
            ))}
            <li className="list-none">{bandText.afterwards}</li>
          </ol>
          <p className="mt-2 text-muted">{automatic ? bandText.isAutomatic : bandText.isDue}</p>
        </div>
      )}
      {refundableUntil && isInstant(refundableUntil) && (
        <p className="mt-2 text-muted">
          {text.until} {formatInstant(refundableUntil, timezone)}
        </p>
      )}
    </>
  );
}
