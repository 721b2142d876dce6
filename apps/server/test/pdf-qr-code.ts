import jsQR from 'jsqr';
import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const PIXELS_PER_POINT = 4;

/** Finds and decodes the first QR code in a PDF, as a phone's camera would. Returns null if there is none. */
export async function readPdfQrCode(bytes: Uint8Array): Promise<string | null> {
  const task = getDocument({ data: new Uint8Array(bytes) });
  const file = await task.promise;
  const texts: string[] = [];
  for (let number = 1; number <= file.numPages; number += 1) {
    const { fnArray, argsArray } = await (await file.getPage(number)).getOperatorList();
    for (const [index, operator] of fnArray.entries()) {
      if (operator !== OPS.constructPath) continue;
      const text = decodeQrCode(parseRectangles(argsArray[index] as [number, [Float32Array | null]]));
      if (text) texts.push(text);
    }
  }
  await task.destroy();
  return texts[0] ?? null;
}

/** Parses a path, which is a list of numbers: `0 x y` moves, `1 x y` draws a line, and `4` closes a rectangle. */
function parseRectangles([, [numbers]]: [number, [Float32Array | null]]): Rectangle[] {
  const path = numbers ?? new Float32Array();
  const rectangles: Rectangle[] = [];
  let corners: [number, number][] = [];
  for (let offset = 0; offset < path.length; ) {
    const kind = path[offset];
    if (kind === 4) {
      const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
      rectangles.push({ left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) });
      corners = [];
      offset += 1;
    } else {
      corners.push([path[offset + 1] ?? 0, path[offset + 2] ?? 0]);
      offset += 3;
    }
  }
  return rectangles;
}

/** Draws the dark rectangles and decodes the resulting image. The y coordinates start at the top, as in the PDF writer. */
function decodeQrCode(dark: readonly Rectangle[]): string | null {
  if (dark.length < 50) return null;
  const margin = 20;
  const [left, top] = [Math.min(...dark.map((box) => box.left)) - margin, Math.min(...dark.map((box) => box.top)) - margin];
  const [right, bottom] = [Math.max(...dark.map((box) => box.right)) + margin, Math.max(...dark.map((box) => box.bottom)) + margin];
  const [width, height] = [Math.ceil((right - left) * PIXELS_PER_POINT), Math.ceil((bottom - top) * PIXELS_PER_POINT)];
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (const { left: x1, top: y1, right: x2, bottom: y2 } of dark) {
    const toPixel = (value: number, origin: number) => Math.round((value - origin) * PIXELS_PER_POINT);
    for (let y = toPixel(y1, top); y < toPixel(y2, top); y += 1) {
      for (let x = toPixel(x1, left); x < toPixel(x2, left); x += 1) pixels.set([0, 0, 0], (y * width + x) * 4);
    }
  }
  return jsQR.default(pixels, width, height)?.data ?? null;
}
