import { CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { encode } from 'uqr';
import { Button } from '../../components/ui/button.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { now } from '../../format/clock.ts';
import { common } from '../../text/common.ts';
import { doorsText as text } from '../../text/doors.ts';
import { isUsed, type NewDevice, remainingTime } from './rules.ts';
import { useDevices } from './use-devices.ts';

/** Shows the QR of a device until a scanner has used it or it has expired. */
export function PairingCode({ device, onClose }: { device: NewDevice; onClose: () => void }) {
  const { id, name, url, expiresAt } = device;
  const devices = useDevices(1000).data?.devices ?? [];
  const [wasWaiting, setWaiting] = useState(false);
  if (!wasWaiting && devices.some((each) => each.id === id)) setWaiting(true);
  const remaining = useRemaining(expiresAt);
  const isPaired = isUsed(id, devices, wasWaiting) && remaining !== null;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isPaired ? text.paired(name) : text.scanTitle(name)}
      description={isPaired ? undefined : text.scanText}
      footer={<Button onClick={onClose}>{common.done}</Button>}
      isWide
    >
      <div className="flex flex-col items-center gap-3 text-center">
        {isPaired && <CircleCheck aria-hidden className="my-12 size-24 text-green" />}
        {!isPaired && url === null && <p>{text.replayed}</p>}
        {!isPaired && url !== null && remaining === null && <p>{text.expired}</p>}
        {!isPaired && url !== null && remaining !== null && (
          <>
            <Qr content={url} />
            <p role="timer" className="text-base font-medium">
              {text.remaining(remaining)}
            </p>
            <CopyText text={url} label={text.copyAddress} />
          </>
        )}
      </div>
    </Dialog>
  );
}

/** The time until an instant, each second. */
function useRemaining(until: string): string | null {
  const [at, setAt] = useState(now);
  const remaining = remainingTime(until, at);
  const isOver = remaining === null;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setAt(now()), 1000);
    return () => clearInterval(timer);
  }, [isOver]);
  return remaining;
}

/** A QR code. It is black on white in every theme, as cameras expect. */
function Qr({ content }: { content: string }) {
  const { data, size } = encode(content, { ecc: 'M', border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label={text.qrLabel}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="aspect-square w-full max-w-[min(40rem,58dvh)] rounded-md"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
