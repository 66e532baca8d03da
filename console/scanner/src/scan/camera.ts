import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url';

/** Reads codes from a picture. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

/**
 * The reader of the browser where it has one, otherwise a WebAssembly module of this page, which is
 * loaded on demand.
 */
async function createDetector(): Promise<Detector> {
  const native = (globalThis as { BarcodeDetector?: NativeDetector }).BarcodeDetector;
  if (native && (await native.getSupportedFormats()).includes('qr_code')) {
    return new native({ formats: ['qr_code'] });
  }
  const { BarcodeDetector, prepareZXingModule } = await import('barcode-detector/ponyfill');
  // By default, the library loads its module from another host.
  prepareZXingModule({
    overrides: {
      locateFile: (path: string, prefix: string) =>
        path.endsWith('.wasm') ? wasmUrl : prefix + path,
    },
  });
  return new BarcodeDetector({ formats: ['qr_code'] });
}

interface NativeDetector {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
}

/** Why there is no picture. */
export type CameraProblem = 'denied' | 'missing' | 'insecure' | 'reader';

/** Ten pictures per second: enough for a badge that is shown, at little battery. */
const pauseMs = 100;

/**
 * Shows the camera in `video` and calls `onCode` with each code in a picture, until the returned
 * function is called. A hidden page reads nothing. Errors: a CameraProblem.
 */
export async function startCamera(
  video: HTMLVideoElement,
  onCode: (code: string) => void,
): Promise<() => void> {
  if (!navigator.mediaDevices?.getUserMedia) throw 'insecure' satisfies CameraProblem;
  // Before the camera is on: the code of the reader may not have been loaded before the network was
  // lost.
  const detector = await createDetector().catch(() => {
    throw 'reader' satisfies CameraProblem;
  });
  const stream = await navigator.mediaDevices
    .getUserMedia({ video: { facingMode: 'environment', width: { ideal: 1280 } }, audio: false })
    .catch((error: DOMException) => {
      throw (error.name === 'NotAllowedError' ? 'denied' : 'missing') satisfies CameraProblem;
    });
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  };
  video.srcObject = stream;
  await video.play().catch(() => {});
  const read = async () => {
    while (!isStopped) {
      if (!document.hidden && video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) {
        // A picture that cannot be read is followed by the next one.
        const codes = await detector.detect(video).catch(() => []);
        for (const { rawValue } of codes) if (!isStopped) onCode(rawValue);
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  void read();
  return stop;
}
