import sharp from 'sharp';
import { expect, it } from 'vitest';
import { stripMetadata } from './strip-metadata.ts';

const EXIF = {
  IFD0: { Make: 'PhoneMaker', Artist: 'Mia Tane' },
  IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '36/1 50/1 54/1', GPSLongitudeRef: 'E', GPSLongitude: '174/1 45/1 0/1' },
};
const createPhoto = () => sharp({ create: { width: 40, height: 20, channels: 3, background: 'teal' } }).withExif(EXIF);

const PHOTOS = [
  ['image/jpeg', () => createPhoto().withMetadata({ orientation: 6 }).withExifMerge(EXIF).jpeg().toBuffer()],
  ['image/jpeg', () => createPhoto().jpeg({ progressive: true }).toBuffer()],
  ['image/png', () => createPhoto().png().toBuffer()],
] as const;

it.each(PHOTOS)('removes location, camera and author from an %s and keeps every pixel', async (type, createFile) => {
  const original = await createFile();
  expect(original.includes('PhoneMaker')).toBe(true);
  const stripped = stripMetadata(original, type);
  if (!stripped) throw new Error('The image was not stripped');
  for (const secret of ['PhoneMaker', 'Mia Tane']) expect(stripped.includes(secret)).toBe(false);
  const [before, after] = await Promise.all([original, stripped].map((bytes) => sharp(bytes).metadata()));
  expect(after?.orientation ?? 1).toBe(before?.orientation ?? 1);
  const [pixels, strippedPixels] = await Promise.all([original, stripped].map((bytes) => sharp(bytes).raw().toBuffer()));
  expect(strippedPixels?.equals(pixels ?? Buffer.alloc(0))).toBe(true);
});

it('drops what follows the end of a JPEG, such as a motion video', async () => {
  const photo = await createPhoto().jpeg().toBuffer();
  const stripped = stripMetadata(Buffer.concat([photo, Buffer.from('motion video with a location')]), 'image/jpeg');
  expect(stripped?.includes('motion video')).toBe(false);
});

it.each(['jpeg', 'png'] as const)('returns null for a cut-off %s', async (format) => {
  const photo = await createPhoto().toFormat(format).toBuffer();
  expect(stripMetadata(photo.subarray(0, 30), `image/${format}`)).toBeNull();
});
