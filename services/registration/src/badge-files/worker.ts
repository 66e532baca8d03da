import { parentPort } from 'node:worker_threads';
import { openFonts } from './fonts.ts';
import type { DrawJob, DrawRequest, DrawResponse } from './job.ts';
import { createLayout } from './layout.ts';
import { createPdf } from './pdf.ts';
import { drawSvg } from './svg.ts';

const fonts = openFonts();
const layout = createLayout(fonts);

function drawPdf({ title, badges }: Extract<DrawJob, { format: 'pdf' }>): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const pdf = createPdf({ fonts, layout }, title, {
      onBytes: (bytes) => chunks.push(bytes),
      onEnd: () => resolve(Buffer.concat(chunks)),
    });
    for (const badge of badges) pdf.add(badge);
    pdf.end();
  });
}

async function draw(job: DrawJob): Promise<Buffer> {
  if (job.format === 'svg') return Buffer.from(drawSvg(job.badge, layout));
  if (job.format === 'pdf') return drawPdf(job);
  // It loads a library for cryptography, which most platforms do not need.
  const { makePass } = await import('./wallet.ts');
  return makePass(job.id, job.badge, job.signer);
}

async function respond({ id, job }: DrawRequest): Promise<DrawResponse> {
  try {
    return { id, bytes: new Uint8Array(await draw(job)) };
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on('message', async (request: DrawRequest) => {
  const response = await respond(request);
  const transferred = 'bytes' in response ? [response.bytes.buffer as ArrayBuffer] : [];
  parentPort?.postMessage(response, transferred);
});
