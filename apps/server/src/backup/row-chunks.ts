/** Default chunk size, which limits how much of a table is in memory at once. */
const CHUNK_BYTES = 4 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** Groups COPY output, which has one row per line, into larger chunks. Never splits a row, even one larger than a chunk. */
export async function* chunkRows(lines: AsyncIterable<Buffer>, size = CHUNK_BYTES): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let length = 0;
  for await (const piece of lines) {
    pending.push(piece);
    length += piece.length;
    const rowsEnd = piece.lastIndexOf(LINE_FEED) + 1;
    if (length < size || rowsEnd === 0) continue;
    const rest = piece.subarray(rowsEnd);
    const all = Buffer.concat(pending);
    yield all.subarray(0, all.length - rest.length);
    pending = [rest];
    length = rest.length;
  }
  if (length > 0) yield Buffer.concat(pending);
}

export function countLines(bytes: Buffer): number {
  let count = 0;
  for (let offset = bytes.indexOf(LINE_FEED); offset !== -1; offset = bytes.indexOf(LINE_FEED, offset + 1)) count += 1;
  return count;
}
