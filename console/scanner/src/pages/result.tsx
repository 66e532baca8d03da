import { useEffect } from 'react';
import type { Decided } from '../scan/check-in.ts';
import { type Tone, toneOf } from '../scan/verdict.ts';
import { describe, text } from '../text/en.ts';
import { formatDayTime, formatTime } from '../text/time.ts';

const symbols: Record<Tone, string> = { go: '✓', look: '!', stop: '✕' };

/**
 * A good verdict leaves by itself, so that one hand is enough. The others stay until the next badge
 * or a tap.
 */
const goVisibleMs = 2500;

/** The verdict of the last badge, over the whole width, in color, with a symbol and words. */
export function Result({
  verdict,
  isChecking,
  showName,
  timezone,
  onNext,
}: {
  verdict: Decided | null;
  isChecking: boolean;
  showName: boolean;
  timezone: string;
  onNext: () => void;
}) {
  useEffect(() => {
    if (verdict?.kind !== 'admitted') return;
    const timer = setTimeout(onNext, goVisibleMs);
    return () => clearTimeout(timer);
  }, [verdict, onNext]);

  const formats = {
    time: (instant: string) => formatTime(instant, timezone),
    dayTime: (instant: string) => formatDayTime(instant, timezone),
  };
  const described = verdict && describe(verdict, formats);
  const notice = verdict && 'notice' in verdict ? verdict.notice : null;
  return (
    <div role="alert" aria-live="assertive" aria-busy={isChecking}>
      {isChecking && <p className="checking">{text.checking}</p>}
      {verdict && described && (
        <div className="result" data-tone={toneOf(verdict)} data-kind={verdict.kind}>
          <span className="symbol" aria-hidden="true">
            {symbols[toneOf(verdict)]}
          </span>
          <strong>{described.title}</strong>
          {showName && 'name' in verdict && (
            <span dir="auto" className="name">
              {verdict.name}
            </span>
          )}
          {described.hint && <span>{described.hint}</span>}
          {notice && <span className="notice">{text.notices[notice]}</span>}
          {verdict.by === 'device' && <span className="by">{text.byDevice}</span>}
          <button type="button" onClick={onNext}>
            {text.next}
          </button>
        </div>
      )}
    </div>
  );
}
