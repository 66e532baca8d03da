import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { Door, Pairing } from '../api/device.ts';
import { useObservable } from '../api/observable.ts';
import { checkIn, type Decided, type Presented } from '../scan/check-in.ts';
import { signal } from '../scan/feedback.ts';
import { normalCode, type Seen, see } from '../scan/repeat.ts';
import { toneOf } from '../scan/verdict.ts';
import { rosterReadAt } from '../sync/sync-roster.ts';
import { text } from '../text/en.ts';
import { formatDayTime } from '../text/time.ts';
import { Camera } from './camera.tsx';
import { doorName } from './door-page.tsx';
import { FindPerson } from './find-person.tsx';
import { Result } from './result.tsx';
import { Status } from './status.tsx';
import { useCounts } from './use-counts.ts';

/** A hardware scanner may send the next badge while one is checked. */
const verdictVisibleMs = 1000;

/** Checks badges in at one door: by the camera, by a hardware scanner that types, or by hand. */
export function ScanPage({
  pairing,
  door,
  onChangeDoor,
  onEnded,
}: {
  pairing: Pairing;
  door: Door;
  onChangeDoor: () => void;
  onEnded: () => void;
}) {
  const { device } = pairing;
  const [verdict, setVerdict] = useState<Decided | null>(null);
  const [isChecking, setChecking] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const seen = useRef<Seen>(new Map());
  const isBusy = useRef(false);
  const waiting = useRef<string | null>(null);
  const isLeft = useRef(false);
  const counts = useCounts(pairing, door, onEnded);
  const hasRoster = useObservable(rosterReadAt) !== null;

  const check = useCallback(
    async (presented: Presented, method: 'scan' | 'manual') => {
      if (isBusy.current) return;
      isBusy.current = true;
      setChecking(true);
      setVerdict(null);
      // The storage of the browser may fail. Then nothing was decided, and the badge can be shown
      // again.
      const decided = await checkIn(pairing, door, presented, method).catch(
        (error: unknown): Decided => {
          console.error(error);
          return { kind: 'undecided', by: 'device' };
        },
      );
      isBusy.current = false;
      if (isLeft.current) return;
      setChecking(false);
      if (decided.kind === 'ended') return onEnded();
      if (decided.kind === 'undecided') seen.current = new Map();
      setVerdict(decided);
      signal(toneOf(decided));
      if (waiting.current === null) return;
      // The next person is already there. The verdict of the one before stays for a moment.
      setTimeout(() => {
        const next = waiting.current;
        waiting.current = null;
        if (next !== null) void check({ checkinCode: next }, 'manual');
      }, verdictVisibleMs);
    },
    [pairing, door, onEnded],
  );

  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);

  // The same function in each rendering: another one would restart the time for which a good
  // verdict stays.
  const showNothing = useCallback(() => {
    setVerdict(null);
    input.current?.focus();
  }, []);

  const onCamera = useCallback(
    (rawValue: string) => {
      const code = normalCode(rawValue);
      if (code === null) return;
      const next = see(seen.current, code, performance.now());
      // A badge that is shown during another scan is new afterwards.
      if (next.isNew && isBusy.current) return;
      seen.current = next.seen;
      if (next.isNew) void check({ checkinCode: code }, 'scan');
    },
    [check],
  );

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const code = normalCode(input.current?.value ?? '');
    if (input.current) input.current.value = '';
    if (code === null) return;
    if (isBusy.current) waiting.current = code;
    else void check({ checkinCode: code }, 'manual');
  };

  // A hardware scanner types like a keyboard, whatever has the focus: the first character moves it
  // to the field.
  useEffect(() => {
    if (!isChecking) input.current?.focus({ preventScroll: true });
    const onKey = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent) => {
      if (target instanceof HTMLInputElement) return;
      const isCharacter = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;
      if (isCharacter) input.current?.focus({ preventScroll: true });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isChecking]);

  const until = formatDayTime(device.expiresAt, device.event.timezone);
  return (
    <main className="scan">
      <header>
        <div>
          <h1>{doorName(door)}</h1>
          <p>
            {device.event.name} · {text.until(until)}
          </p>
        </div>
        <button type="button" className="quiet" onClick={onChangeDoor}>
          {device.doors.length > 1 ? text.changeDoor : text.device}
        </button>
      </header>
      <Camera onCode={onCamera} />
      <Result
        verdict={verdict}
        isChecking={isChecking}
        showName={device.showNames}
        timezone={device.event.timezone}
        onNext={showNothing}
      />
      <form onSubmit={onSubmit}>
        <label htmlFor="badge">{text.manual}</label>
        <div className="field">
          <input
            id="badge"
            ref={input}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            enterKeyHint="go"
            aria-describedby="badge-help"
          />
          <button type="submit" className="primary">
            {text.check}
          </button>
        </div>
        <p id="badge-help">{text.manualHelp}</p>
      </form>
      {hasRoster && device.showNames && (
        <FindPerson
          isDisabled={isChecking}
          onChoose={(registrationId) => void check({ registrationId }, 'manual')}
        />
      )}
      <Status counts={counts} timezone={device.event.timezone} />
    </main>
  );
}
