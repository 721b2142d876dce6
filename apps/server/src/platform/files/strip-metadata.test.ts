import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { stripMetadata } from './strip-metadata.ts';

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

const PHOTOS = [
  ['image/jpeg', () => createPhoto().withMetadata({ orientation: 6 }).withExifMerge(EXIF).jpeg().toBuffer()],
  ['image/jpeg', () => createPhoto().jpeg({ progressive: true }).toBuffer()],
  ['image/png', () => createPhoto().png().toBuffer()],
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

it.each(['jpeg', 'png'] as const)('keeps no metadata of a %s that is cut off or damaged anywhere', async (format) => {
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
