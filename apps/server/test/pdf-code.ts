import jsQR from 'jsqr';
import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const PIXELS_PER_POINT = 4;

/** What a phone reads from the QR code of a PDF, drawn from the file's own paths; null when there is none. */
export async function readPdfCode(bytes: Uint8Array): Promise<string | null> {
  const task = getDocument({ data: new Uint8Array(bytes) });
  const file = await task.promise;
  const texts: string[] = [];
  for (let number = 1; number <= file.numPages; number += 1) {
    const { fnArray, argsArray } = await (await file.getPage(number)).getOperatorList();
    for (const [index, operator] of fnArray.entries()) {
      if (operator !== OPS.constructPath) continue;
      const found = decode(rectanglesOf(argsArray[index] as [number, [Float32Array | null]]));
      if (found) texts.push(found);
    }
  }
  await task.destroy();
  return texts[0] ?? null;
}

/** A path is a list of numbers: 0 x y moves, 1 x y draws a line, 4 closes. */
function rectanglesOf([, [drawn]]: [number, [Float32Array | null]]): Rectangle[] {
  const path = drawn ?? new Float32Array();
  const rectangles: Rectangle[] = [];
  let corners: [number, number][] = [];
  for (let at = 0; at < path.length; ) {
    const kind = path[at];
    if (kind === 4) {
      const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
      rectangles.push({ left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) });
      corners = [];
      at += 1;
    } else {
      corners.push([path[at + 1] ?? 0, path[at + 2] ?? 0]);
      at += 3;
    }
  }
  return rectangles;
}

/** In the coordinates of the writer, which count from the top. */
function decode(dark: readonly Rectangle[]): string | null {
  if (dark.length < 50) return null;
  const margin = 20;
  const [left, top] = [Math.min(...dark.map((one) => one.left)) - margin, Math.min(...dark.map((one) => one.top)) - margin];
  const [right, bottom] = [Math.max(...dark.map((one) => one.right)) + margin, Math.max(...dark.map((one) => one.bottom)) + margin];
  const [width, height] = [Math.ceil((right - left) * PIXELS_PER_POINT), Math.ceil((bottom - top) * PIXELS_PER_POINT)];
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (const one of dark) {
    const pixel = (value: number, from: number) => Math.round((value - from) * PIXELS_PER_POINT);
    for (let y = pixel(one.top, top); y < pixel(one.bottom, top); y += 1) {
      for (let x = pixel(one.left, left); x < pixel(one.right, left); x += 1) pixels.set([0, 0, 0], (y * width + x) * 4);
    }
  }
  return jsQR.default(pixels, width, height)?.data ?? null;
}
