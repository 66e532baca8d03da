import { type Badge, pageHeight, pageWidth, qrBox, textsOf } from './badge.ts';
import type { OpenFont } from './fonts.ts';
import type { LayoutText, Line } from './layout.ts';
import { qrBars } from './qr.ts';
import { printable } from './runs.ts';

/**
 * Draws a badge as an SVG. Letters are outlines, so that it looks the same everywhere; characters
 * that no font has are text, for which the viewer finds a font.
 */
export function drawSvg(badge: Badge, layout: LayoutText): string {
  const title = [badge.name, badge.eventName, badge.ticketTypeName].filter(Boolean).join(' – ');
  const texts = textsOf(badge).map(({ text, box }, index) => {
    const lines = layout(text, box);
    const { x, y, width, height } = box;
    return `<clipPath id="box${index}"><rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"/></clipPath>
<g clip-path="url(#box${index})">${lines.map(lineSvg).join('')}</g>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="105mm" height="148mm" viewBox="0 0 ${round(pageWidth)} ${round(pageHeight)}" role="img">
<title>${escapeXml(printable(title))}</title>
<rect width="100%" height="100%" fill="#fff"/>
${texts.join('\n')}
${qrSvg(badge.checkinCode)}
</svg>
`;
}

function qrSvg(code: string): string {
  const { size, bars } = qrBars(code);
  const path = bars.map(({ x, y, width }) => `M${x} ${y}h${width}v1h-${width}z`).join('');
  const scale = round(qrBox.size / size);
  const place = `translate(${round(qrBox.x)} ${round(qrBox.y)}) scale(${scale})`;
  return `<path id="qr" transform="${place}" shape-rendering="crispEdges" d="${path}"/>`;
}

function lineSvg({ x, y, size, runs }: Line): string {
  let left = x;
  return runs
    .map(({ text, font, width }) => {
      const drawn = font
        ? outlines(font, text, left, y, size)
        : viewerText(text, left, y, size, width);
      left += width * size;
      return drawn;
    })
    .join('');
}

function outlines({ font }: OpenFont, text: string, x: number, y: number, size: number): string {
  const { glyphs, positions } = font.layout(text);
  const scale = size / font.unitsPerEm;
  let left = 0;
  const paths = glyphs.map((glyph, index) => {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
    const shape = glyph.path.toSVG();
    const place = `translate(${round(left + xOffset)} ${round(yOffset)})`;
    left += xAdvance;
    return shape === '' ? '' : `<path transform="${place}" d="${shape}"/>`;
  });
  return `<g transform="translate(${round(x)} ${round(y)}) scale(${scale.toFixed(5)} -${scale.toFixed(5)})">${paths.join('')}</g>`;
}

/** Text in a font of the viewer, squeezed into the width that is left for it. */
function viewerText(text: string, x: number, y: number, size: number, width: number): string {
  const length = round(width * size);
  return `<text x="${round(x)}" y="${round(y)}" font-family="sans-serif" font-size="${round(size)}" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escapeXml(text)}</text>`;
}

const round = (value: number): string => String(Math.round(value * 1000) / 1000);

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as XML. Characters that XML does not allow are left out. */
const escapeXml = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
