import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { stripMetadata, TooManyPartsError } from './strip-metadata.ts';

const EXIF = {
  IFD0: { Make: 'PhoneMaker', Artist: 'Mia Tane' },
  IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '36/1 50/1 54/1', GPSLongitudeRef: 'E', GPSLongitude: '174/1 45/1 0/1' },
};
const createPhoto = () => sharp({ create: { width: 40, height: 20, channels: 3, background: 'teal' } }).withExif(EXIF);

/** Strips the image in pieces of `pieceSize` bytes, as it is read from disk. */
async function strip(bytes: Buffer, type: string, pieceSize = 7): Promise<Buffer> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceSize) }, (_, n) => bytes.subarray(n * pieceSize, (n + 1) * pieceSize));
  return buffer(stripMetadata(Readable.from(pieces), type));
}

const insertAt = (bytes: Buffer, position: number, ...added: Buffer[]) =>
  Buffer.concat([bytes.subarray(0, position), ...added, bytes.subarray(position)]);
const buildSegment = (marker: number, content: string) =>
  Buffer.concat([Buffer.of(0xff, marker, 0, content.length + 2), Buffer.from(content)]);
const buildGifExtension = (application: string, content: string) =>
  Buffer.concat([Buffer.of(0x21, 0xff, 11), Buffer.from(application), Buffer.of(content.length), Buffer.from(content), Buffer.of(0)]);

function buildChunk(type: string, content = ''): Buffer {
  const chunk = Buffer.alloc(12 + content.length);
  chunk.writeUInt32BE(content.length);
  chunk.write(type + content, 4, 'latin1');
  chunk.writeUInt32BE(crc32(type + content), 8 + content.length);
  return chunk;
}

const PHOTOS = [
  ['image/jpeg', () => createPhoto().withMetadata({ orientation: 6 }).withExifMerge(EXIF).jpeg().toBuffer()],
  ['image/jpeg', () => createPhoto().jpeg({ progressive: true }).toBuffer()],
  ['image/png', () => createPhoto().png().toBuffer()],
  ['image/gif', async () => insertAt(await createPhoto().gif().toBuffer(), -1, buildGifExtension('XMP DataXMP', 'PhoneMaker Mia Tane'))],
] as const;

it.each(PHOTOS)('removes location, camera and author from an %s and keeps every pixel', async (type, createFile) => {
  const original = await createFile();
  expect(original.includes('PhoneMaker')).toBe(true);
  const stripped = await strip(original, type);
  for (const pieceSize of [1, 2, 64, original.length]) expect((await strip(original, type, pieceSize)).equals(stripped)).toBe(true);
  for (const secret of ['PhoneMaker', 'Mia Tane']) expect(stripped.includes(secret)).toBe(false);
  const [before, after] = await Promise.all([original, stripped].map((bytes) => sharp(bytes).metadata()));
  expect(after?.orientation ?? 1).toBe(before?.orientation ?? 1);
  const [pixels, strippedPixels] = await Promise.all([original, stripped].map((bytes) => sharp(bytes).raw().toBuffer()));
  expect(strippedPixels?.equals(pixels ?? Buffer.alloc(0))).toBe(true);
});

it.each([
  ['a comment', 0xfe, 'a note with a location'],
  ['text in a JFIF segment', 0xe0, 'JFIF\0\x01\x02\0\0\x01\0\x01\0\0a note with a location'],
  ['text in an Adobe segment', 0xee, 'Adobe\0\x64\0\0\0\0\x01a note with a location'],
  ['an unknown APP0 segment', 0xe0, 'a note with a location'],
  ['a segment with further pictures', 0xe2, 'MPF\0a note with a location'],
])('removes %s from a JPEG', async (_, marker, content) => {
  const stripped = await strip(insertAt(await createPhoto().jpeg().toBuffer(), 2, buildSegment(marker, content)), 'image/jpeg');
  expect(stripped.includes('location')).toBe(false);
  expect(await sharp(stripped).metadata()).toMatchObject({ width: 40, height: 20, channels: 3 });
});

it.each(['caBX', 'zxIf', 'prVt', 'tEXt'])('removes the chunk %s from a PNG', async (type) => {
  const stripped = await strip(insertAt(await createPhoto().png().toBuffer(), -12, buildChunk(type, 'a location')), 'image/png');
  expect(stripped.includes('a location')).toBe(false);
});

it('removes comments from an animated GIF and keeps its frames, timing and repetitions', async () => {
  const frames = Buffer.from([255, 0, 0, 0, 255, 0, 0, 0, 255]);
  const animation = await sharp(frames, { raw: { width: 1, height: 3, channels: 3, pageHeight: 1 } })
    .gif({ loop: 3, delay: [100, 200, 300] })
    .toBuffer();
  const comment = Buffer.concat([Buffer.of(0x21, 0xfe, 10), Buffer.from('a location'), Buffer.of(0)]);
  const stripped = await strip(insertAt(animation, -1, comment), 'image/gif');
  expect(stripped.equals(animation)).toBe(true);
  expect(await sharp(stripped, { animated: true }).metadata()).toMatchObject({ pages: 3, loop: 3, delay: [100, 200, 300] });
});

it.each([
  ['image/jpeg', 2, () => createPhoto().jpeg().toBuffer(), buildSegment(0xe0, '')],
  ['image/png', -12, () => createPhoto().png().toBuffer(), buildChunk('prVt')],
  ['image/gif', -1, () => createPhoto().gif().toBuffer(), Buffer.of(0x21, 0xfe, 0)],
] as const)('stops reading an %s with more than 10,000 parts', async (type, position, createFile, part) => {
  const original = await createFile();
  const stripWithParts = (count: number) => strip(insertAt(original, position, Buffer.alloc(part.length * count, part)), type, 65_536);
  expect((await stripWithParts(9_900)).equals(await strip(original, type))).toBe(true);
  await expect(stripWithParts(10_000)).rejects.toThrow(TooManyPartsError);
});

it('drops what follows the end of a JPEG, such as a motion video', async () => {
  const photo = await createPhoto().jpeg().toBuffer();
  const stripped = await strip(Buffer.concat([photo, Buffer.from('motion video with a location')]), 'image/jpeg');
  expect(stripped.includes('motion video')).toBe(false);
  expect(stripped.equals(await strip(photo, 'image/jpeg'))).toBe(true);
});

it('keeps the picture of a JPEG without an end marker', async () => {
  const photo = await createPhoto().jpeg().toBuffer();
  const stripped = await strip(photo.subarray(0, -2), 'image/jpeg');
  expect(stripped.includes('PhoneMaker')).toBe(false);
  expect(await sharp(stripped, { failOn: 'none' }).metadata()).toMatchObject({ width: 40, height: 20 });
});

it.each(['jpeg', 'png', 'gif'] as const)('keeps no metadata of a %s that is cut off or damaged anywhere', async (format) => {
  const photo = await createPhoto().toFormat(format).toBuffer();
  for (let length = 0; length < photo.length; length += 3) {
    expect((await strip(photo.subarray(0, length), `image/${format}`, 512)).includes('PhoneMaker')).toBe(false);
    const damaged = Buffer.from(photo.subarray(0, length));
    damaged.fill(0, Math.max(0, length - 4));
    expect((await strip(damaged, `image/${format}`, 512)).includes('PhoneMaker')).toBe(false);
  }
});

it('passes on an error of the disk', async () => {
  const broken = new Readable({ read: () => broken.destroy(new Error('Disk error')) });
  await expect(buffer(stripMetadata(broken, 'image/jpeg'))).rejects.toThrow('Disk error');
});
