import { array, assert, asyncProperty, integer, string } from 'fast-check';
import { expect, it } from 'vitest';
import { chunkRows, countLines } from './row-chunks.ts';

/** Splits the bytes into pieces of `size` bytes regardless of rows, as the database driver does. */
async function* splitIntoPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

it('returns whole rows in order, however the input is split', async () => {
  const rows = array(
    string({ maxLength: 40 }).map((text) => `${text.replaceAll('\n', '\\n')}\n`),
    { maxLength: 60 },
  );
  await assert(
    asyncProperty(rows, integer({ min: 1, max: 50 }), integer({ min: 1, max: 200 }), async (lines, pieceSize, chunkSize) => {
      const bytes = Buffer.from(lines.join(''));
      const chunks: Buffer[] = [];
      for await (const chunk of chunkRows(splitIntoPieces(bytes, pieceSize), chunkSize)) chunks.push(chunk);
      expect(Buffer.concat(chunks)).toEqual(bytes);
      for (const chunk of chunks) expect(chunk.at(-1)).toBe(0x0a);
      expect(chunks.reduce((sum, chunk) => sum + countLines(chunk), 0)).toBe(lines.length);
      const longest = Math.max(0, ...lines.map((line) => Buffer.byteLength(line)));
      for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(chunkSize + pieceSize + longest);
    }),
  );
});
