import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { Door, Pairing } from '../api/device.ts';
import { checkIn } from '../scan/check-in.ts';
import { signal } from '../scan/feedback.ts';
import { normalCode, type Seen, see } from '../scan/repeat.ts';
import { toneOf, type Verdict } from '../scan/verdict.ts';
import { text } from '../text/en.ts';
import { formatDayTime } from '../text/time.ts';
import { Camera } from './camera.tsx';
import { doorName } from './door-page.tsx';
import { Result } from './result.tsx';
import { useCounts } from './use-counts.ts';

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
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [isChecking, setChecking] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const seen = useRef<Seen | null>(null);
  const isBusy = useRef(false);
  const counts = useCounts(pairing, door, onEnded);

  const check = useCallback(
    async (code: string, method: 'scan' | 'manual') => {
      if (isBusy.current) return;
      isBusy.current = true;
      setChecking(true);
      setVerdict(null);
      const decided = await checkIn(pairing, door, code, method);
      isBusy.current = false;
      setChecking(false);
      if (decided.kind === 'ended') return onEnded();
      // A badge that was not checked may be shown again at once.
      if (decided.kind === 'undecided') seen.current = null;
      signal(toneOf(decided));
      setVerdict(decided);
    },
    [pairing, door, onEnded],
  );

  const onCamera = useCallback(
    (rawValue: string) => {
      const code = normalCode(rawValue);
      if (code === null || isBusy.current) return;
      const next = see(seen.current, code, performance.now());
      seen.current = next.seen;
      if (next.isNew) void check(code, 'scan');
    },
    [check],
  );

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const code = normalCode(input.current?.value ?? '');
    if (input.current) input.current.value = '';
    if (code !== null) void check(code, 'manual');
  };

  // A hardware scanner types like a keyboard, whatever has the focus: the first character moves it to the field.
  useEffect(() => {
    if (!isChecking) input.current?.focus({ preventScroll: true });
    const onKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
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
        {device.doors.length > 1 && (
          <button type="button" className="quiet" onClick={onChangeDoor}>
            {text.changeDoor}
          </button>
        )}
      </header>
      <Camera onCode={onCamera} />
      <Result
        verdict={verdict}
        isChecking={isChecking}
        showName={device.showNames}
        timezone={device.event.timezone}
        onNext={() => {
          setVerdict(null);
          input.current?.focus();
        }}
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
          <button type="submit" className="primary" disabled={isChecking}>
            {text.check}
          </button>
        </div>
        <p id="badge-help">{text.manualHelp}</p>
      </form>
      <footer>
        <span className={counts.isOnline ? 'online' : 'offline'} role="status">
          {counts.isOnline ? text.online : text.offline}
        </span>
        {counts.all !== null && <span>{text.checkedIn(counts.door, counts.all)}</span>}
      </footer>
    </main>
  );
}
