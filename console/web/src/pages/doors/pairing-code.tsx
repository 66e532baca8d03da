import { Dialog } from '@base-ui/react/dialog';
import { CircleCheck, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { encode } from 'uqr';
import { Button, FileLink } from '../../components/ui/button.tsx';
import { CopyText } from '../../components/ui/copy.tsx';
import { useRemaining } from '../../components/ui/use-remaining.ts';
import { common } from '../../text/common.ts';
import { doorsText as text } from '../../text/doors.ts';
import { isUsed, type NewDevice } from './doors.rules.ts';
import { FullScreen } from './full-screen.tsx';
import { useDevices } from './use-devices.ts';

/** Shows the QR of a device on the whole screen until a scanner has used it or it has expired. */
export function PairingCode({ device, onClose }: { device: NewDevice; onClose: () => void }) {
  const { id, name, url, shortCode, expiresAt } = device;
  const devices = useDevices(1000).data?.devices ?? [];
  const [wasWaiting, setWaiting] = useState(false);
  if (!wasWaiting && devices.some((each) => each.id === id)) setWaiting(true);
  const remaining = useRemaining(expiresAt);
  const isPaired = isUsed(id, devices, wasWaiting) && remaining !== null;
  return (
    <FullScreen
      onClose={onClose}
      className="flex-col items-center justify-center gap-4 text-center landscape:flex-row landscape:gap-8"
    >
      {isPaired && <CircleCheck aria-hidden className="size-[50vmin] shrink-0 text-green" />}
      {!isPaired && url !== null && remaining !== null && <Qr content={url} />}
      <div className="flex max-w-[min(28rem,100%)] min-w-0 flex-col items-center gap-3 landscape:min-w-64">
        <Dialog.Title className="text-xl font-semibold wrap-anywhere">
          {isPaired ? text.paired(name) : text.scanTitle(name)}
        </Dialog.Title>
        {!isPaired && url === null && <p>{text.replayed}</p>}
        {!isPaired && url !== null && remaining === null && <p>{text.expired}</p>}
        {!isPaired && url !== null && remaining !== null && (
          <>
            <Dialog.Description className="text-muted">{text.scanText}</Dialog.Description>
            <p role="timer" className="text-2xl font-medium">
              {text.remaining(remaining)}
            </p>
            {shortCode !== null && (
              <p>
                {text.shortCode(url.split('#', 1)[0] ?? '')}{' '}
                <strong className="font-mono text-2xl">{shortCode}</strong>
              </p>
            )}
            <FileLink href={url} icon={Smartphone}>
              {text.openHere}
            </FileLink>
            <CopyText text={url} label={text.copyAddress} />
          </>
        )}
        <Button onClick={onClose}>{common.done}</Button>
      </div>
    </FullScreen>
  );
}

/**
 * A QR code, as large as the screen allows beside or above the text. It is black on white in every
 * theme, as cameras expect.
 */
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
      className="max-h-[calc(100dvh-16rem)] w-full shrink-0 landscape:h-[calc(100dvh-3rem)] landscape:max-h-none landscape:w-auto landscape:max-w-[calc(100%-18rem)]"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
