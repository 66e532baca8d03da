import { type FormEvent, type KeyboardEvent, useCallback, useEffect, useRef } from 'react';
import type { Door, Pairing } from '../api/device.ts';
import { useObservable } from '../api/observable.ts';
import { readPrefix } from '../scan/prefix.ts';
import { normalCode, type Seen, see } from '../scan/repeat.ts';
import { rosterReadAt } from '../sync/sync-roster.ts';
import { text } from '../text/en.ts';
import { formatDayTime } from '../text/time.ts';
import { Camera } from './camera.tsx';
import { doorName } from './door-page.tsx';
import { FindPerson } from './find-person.tsx';
import { HardwareScanner } from './hardware-scanner.tsx';
import { Result } from './result.tsx';
import { Status } from './status.tsx';
import { UnrecordedPeople } from './unrecorded-people.tsx';
import { useCounts } from './use-counts.ts';
import { useScans } from './use-scans.ts';
import { WaitingBadges } from './waiting-badges.tsx';

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
  const input = useRef<HTMLInputElement>(null);
  const seen = useRef<Seen>(new Map());
  const onUndecided = useCallback(() => {
    seen.current = new Map();
  }, []);
  const scans = useScans(pairing, door, { onEnded, onUndecided });
  const { verdict, isChecking, waiting, refused, submit, clear } = scans;
  const counts = useCounts(pairing, door, onEnded);
  const hasRoster = useObservable(rosterReadAt) !== null;

  const showNothing = useCallback(() => {
    clear();
    input.current?.focus();
  }, [clear]);

  const onCamera = useCallback(
    (rawValue: string) => {
      const code = normalCode(rawValue);
      if (code === null) return;
      const next = see(seen.current, code, performance.now());
      seen.current = next.seen;
      if (next.isNew) submit({ presented: { checkinCode: code }, method: 'scan' });
    },
    [submit],
  );

  const submitTyped = () => {
    const code = normalCode(input.current?.value ?? '', readPrefix());
    if (input.current) input.current.value = '';
    if (code !== null) submit({ presented: { checkinCode: code }, method: 'manual' });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submitTyped();
  };
  /** Many scanners end a code with Tab. */
  const onTab = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Tab' || event.shiftKey || event.currentTarget.value === '') return;
    event.preventDefault();
    submitTyped();
  };

  // A hardware scanner types like a keyboard, whatever has the focus: the first character moves it
  // to the field.
  useEffect(() => {
    if (!isChecking) input.current?.focus({ preventScroll: true });
    const onKey = ({ key, ctrlKey, metaKey, altKey, target }: globalThis.KeyboardEvent) => {
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
        <button
          type="button"
          className="quiet"
          disabled={waiting.length > 0}
          onClick={onChangeDoor}
        >
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
      <UnrecordedPeople timezone={device.event.timezone} />
      <WaitingBadges waiting={waiting} refused={refused} />
      <form onSubmit={onSubmit}>
        <label htmlFor="badge">{text.manual}</label>
        <div className="field">
          <input
            id="badge"
            ref={input}
            onKeyDown={onTab}
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
          onChoose={(registrationId) => submit({ presented: { registrationId }, method: 'manual' })}
        />
      )}
      <HardwareScanner />
      <Status counts={counts} timezone={device.event.timezone} />
    </main>
  );
}
