import { useCallback, useEffect, useRef, useState } from 'react';
import type { Pairing } from '../api/device.ts';
import { enteredCode, pair } from '../api/pair.ts';
import { eventsWithUnsent } from '../store/scans.ts';
import { text } from '../text/en.ts';

/** Pairs with the code of the address at once, or with one that a person enters. */
export function PairPage({
  code,
  notice,
  onPaired,
}: {
  code: string | null;
  notice: string | null;
  onPaired: (pairing: Pairing) => void;
}) {
  const [message, setMessage] = useState(notice);
  const [isPairing, setPairing] = useState(false);
  const [waiting, setWaiting] = useState<string[]>([]);
  const isStarted = useRef(false);

  const run = useCallback(
    async (entered: string) => {
      const found = enteredCode(entered);
      if (found === null) return setMessage(text.noCode);
      setPairing(true);
      setMessage(null);
      const outcome = await pair(found);
      setPairing(false);
      if (outcome.kind === 'paired') onPaired(outcome.pairing);
      else setMessage(text.notPaired[outcome.kind]);
    },
    [onPaired],
  );

  useEffect(() => {
    eventsWithUnsent(null).then(setWaiting, console.error);
  }, []);

  useEffect(() => {
    // A code is valid once, and React runs an effect of a new component twice during development.
    if (code === null || isStarted.current) return;
    isStarted.current = true;
    void run(code);
  }, [code, run]);

  return (
    <main className="page">
      <h1>{text.pair}</h1>
      <p>{text.pairText}</p>
      {waiting.length > 0 && <p role="status">{text.unsentOf(waiting)}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(String(new FormData(event.currentTarget).get('code') ?? ''));
        }}
      >
        <label htmlFor="code">{text.code}</label>
        <input
          id="code"
          name="code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          defaultValue={code ?? ''}
        />
        <button type="submit" className="primary" disabled={isPairing}>
          {isPairing ? text.pairing : text.pairButton}
        </button>
      </form>
      <p role="status" className="message">
        {message}
      </p>
    </main>
  );
}
