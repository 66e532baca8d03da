import { useEffect, useRef, useState } from 'react';
import { type CameraProblem, startCamera } from '../scan/camera.ts';
import { readStored, store } from '../store/own-names.ts';
import { text } from '../text/en.ts';

/** The picture of the camera. It starts with a tap, and the choice is kept for the next visit. */
export function Camera({ onCode }: { onCode: (code: string) => void }) {
  const [isOn, setOn] = useState(readStored('camera') === 'on');
  const [problem, setProblem] = useState<CameraProblem | null>(null);
  const video = useRef<HTMLVideoElement>(null);

  useEffect(() => {
    store('camera', isOn ? 'on' : 'off');
    if (!isOn || !video.current) return;
    let isLeft = false;
    let stop: (() => void) | undefined;
    startCamera(video.current, onCode).then(
      (started) => {
        if (isLeft) started();
        else stop = started;
      },
      (reason: CameraProblem) => {
        setProblem(reason);
        setOn(false);
      },
    );
    return () => {
      isLeft = true;
      stop?.();
    };
  }, [isOn, onCode]);

  return (
    <section className="camera">
      {isOn && <video ref={video} muted playsInline aria-label={text.picture} />}
      <button
        type="button"
        className="quiet"
        onClick={() => {
          setProblem(null);
          setOn(!isOn);
        }}
      >
        {isOn ? text.stopCamera : text.startCamera}
      </button>
      {problem && <p role="status">{text.camera[problem]}</p>}
    </section>
  );
}
