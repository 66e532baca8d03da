import { useCallback, useEffect, useState } from 'react';
import {
  chosenDoor,
  type Device,
  type Door,
  doorAfter,
  forgetPairing,
  type Pairing,
  readPairing,
  storeDoor,
  storePairing,
  watchPairing,
} from './api/device.ts';
import { findPairingCode } from './api/pair.ts';
import { DoorPage } from './pages/door-page.tsx';
import { PairPage } from './pages/pair-page.tsx';
import { ScanPage } from './pages/scan-page.tsx';
import { clearRoster } from './store/roster.ts';
import { deleteOtherAdmissions } from './store/scans.ts';
import { startBackground } from './sync/background.ts';
import { text } from './text/en.ts';

/**
 * Takes the pairing code out of the address, so that no history and no picture of the screen
 * contains it.
 */
function takePairingCode(): string | null {
  const code = findPairingCode(location.hash);
  if (code !== null) history.replaceState(null, '', location.pathname);
  return code;
}

/** Pairs the device, then lets a person choose the door, then scans. */
export function App() {
  // At once: with the former pairing, the page would begin to send scans.
  const [code, setCode] = useState<string | null>(takePairingCode);
  const [pairing, setPairing] = useState<Pairing | null>(readPairing);
  const [door, setDoor] = useState<Door | null>(pairing && chosenDoor(pairing.device));
  const [notice, setNotice] = useState<string | null>(null);

  useEffect(() => {
    const take = () => {
      const found = takePairingCode();
      if (found !== null) setCode(found);
    };
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);

  /**
   * Shows the stored pairing, or the reason why there is none. All pages of a browser are one
   * device with one pairing.
   */
  const showStored = useCallback((reason: string | null) => {
    const stored = readPairing();
    setPairing(stored);
    setDoor((current) => stored && doorAfter(stored.device, current));
    setNotice(stored ? null : reason);
  }, []);
  useEffect(() => watchPairing(() => showStored(text.endedElsewhere)), [showStored]);

  const token = pairing?.token ?? null;
  /**
   * Forgets the pairing. Scans that were not sent stay, and who was let in, in case the device is
   * paired again.
   */
  const end = useCallback(
    (reason: string | null) => {
      if (token !== null && forgetPairing(token)) clearRoster().catch(console.error);
      showStored(reason);
    },
    [token, showStored],
  );
  const onEnded = useCallback(() => end(text.ended), [end]);
  /** A door may have another name, or may not exist any more. */
  const onDevice = useCallback(
    (device: Device) => {
      const stored = readPairing();
      if (token === null || stored?.token !== token) return;
      if (JSON.stringify(stored.device) === JSON.stringify(device)) return;
      storePairing({ token, device });
      showStored(null);
    },
    [token, showStored],
  );

  useEffect(
    () => (pairing && code === null ? startBackground(pairing, { onEnded, onDevice }) : undefined),
    [pairing, code, onEnded, onDevice],
  );

  // Without it, browsers have neither a camera nor hashes, locks and service workers.
  if (!isSecureContext) return <main className="page">{text.insecure}</main>;
  if (code !== null || pairing === null) {
    return (
      <PairPage
        key={code}
        code={code}
        notice={notice}
        onPaired={(paired) => {
          storePairing(paired);
          deleteOtherAdmissions(paired.device.event.id).catch(console.error);
          setCode(null);
          setNotice(null);
          setPairing(paired);
          setDoor(chosenDoor(paired.device));
        }}
      />
    );
  }
  if (door === null) {
    return (
      <DoorPage
        device={pairing.device}
        onChoose={(chosen) => {
          storeDoor(chosen);
          setDoor(chosen);
        }}
        onUnpair={() => {
          deleteOtherAdmissions(null).catch(console.error);
          end(null);
        }}
      />
    );
  }
  return (
    <ScanPage pairing={pairing} door={door} onChangeDoor={() => setDoor(null)} onEnded={onEnded} />
  );
}
