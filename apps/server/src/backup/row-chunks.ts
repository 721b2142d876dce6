/** Bounds how much of a table is held in memory. */
const CHUNK_BYTES = 4 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** Groups COPY rows, one per line, into larger chunks that each end with a row. A row larger than a chunk stays whole. */
export async function* chunksOf(lines: AsyncIterable<Buffer>, size = CHUNK_BYTES): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const piece of lines) {
    waiting.push(piece);
    length += piece.length;
    const cut = piece.lastIndexOf(LINE_FEED) + 1;
    if (length < size || cut === 0) continue;
    const rest = piece.subarray(cut);
    const all = Buffer.concat(waiting);
    yield all.subarray(0, all.length - rest.length);
    waiting = [rest];
    length = rest.length;
  }
  if (length > 0) yield Buffer.concat(waiting);
}

export function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}
