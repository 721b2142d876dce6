import { Readable } from 'node:stream';
import { IMAGE_TYPES } from '@callout/domain/files/file-types';
import { fileTypeFromStream } from 'file-type';
import sharp, { type Sharp } from 'sharp';
import { createFailure, isFailure } from '../errors/failures.ts';
import { createFairQueue } from '../limits/fair-queue.ts';
import { buildFileKey, type FileStore, isStorageFault, type ReceivedFile } from './file-store.ts';
import type { FilePurpose } from './files.table.ts';

/** The requirements for a kind of image, and the format to convert it to. */
export interface ImageKind {
  readonly purpose: Extract<FilePurpose, 'logo' | 'avatar'>;
  isSizeAllowed(bytes: number): boolean;
  readonly tooLargeMessage: string;
  readonly file_type: 'image/png' | 'image/webp';
  /** Resizes the image to the largest size it is displayed at, and drops camera metadata. */
  resize(image: Sharp): Sharp;
}

const NOT_AN_IMAGE = 'Please select an image file';
const UNREADABLE_IMAGE = 'This image is damaged. Please select another one.';
const TOO_MANY_PIXELS = 'This image has too many pixels. Please select a smaller one.';

/** Low enough to stop decompression bombs, high enough for photos from a 50-megapixel phone (8160 by 6144 pixels). */
const MAX_PIXELS = 52_000_000;
const PROCESSING_TIMEOUT_SECONDS = 20;

// Resizing needs a CPU core and hundreds of megabytes, so only one image is processed at a time, and companies take turns. As many images
// may wait as may be uploaded at once, so that no photo is rejected after its upload.
const imageQueue = createFairQueue({ name: 'images', slots: 1, slotsPerGroup: 1, maxWaitingPerKey: 10, maxWaitMs: 60_000 });
sharp.concurrency(1);

/** Checks that the file really is an image and resizes it. */
export async function resizeImage(
  files: FileStore,
  companyId: string,
  received: ReceivedFile,
  { kind, isTruncated }: { readonly kind: ImageKind; readonly isTruncated: boolean },
): Promise<ReceivedFile> {
  if (isTruncated || !kind.isSizeAllowed(received.size)) throw createFailure('TOO_LARGE', kind.tooLargeMessage);
  if (!(await isImage(received))) throw createFailure('UNSUPPORTED_FILE', NOT_AN_IMAGE);
  const bytes = await imageQueue.run(companyId, () => resizeToBuffer(received.peek(), kind.resize));
  return files.receive(Readable.from([bytes]));
}

const THUMBNAIL_SIDE = 320;

/** Creates a small WebP without camera metadata. Returns null if the image has too many pixels to open. */
export async function createThumbnail(files: FileStore, companyId: string, image: ReceivedFile): Promise<ReceivedFile | null> {
  const resize = (picture: Sharp) =>
    picture.resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 75 });
  try {
    const bytes = await imageQueue.run(companyId, () => resizeToBuffer(image.peek(), resize));
    return await files.receive(Readable.from([bytes]));
  } catch (error) {
    if (isFailure(error) && error.code === 'TOO_LARGE') return null;
    throw isFailure(error) && error.code === 'UNSUPPORTED_FILE' ? createFailure('UNSUPPORTED_FILE', UNREADABLE_IMAGE) : error;
  }
}

/** Large enough to zoom in on a photo, and small enough that a JPEG need not be decoded in full. */
const REENCODED_SIDE = 2560;

/** Creates a copy of a stored image in the same format, without metadata. Throws if the image is damaged or has too many pixels. */
export async function reencodeImage(files: FileStore, companyId: string, id: string): Promise<ReceivedFile> {
  const resize = (picture: Sharp) =>
    picture.resize(REENCODED_SIDE, REENCODED_SIDE, { fit: 'inside', withoutEnlargement: true }).keepIccProfile();
  const bytes = await imageQueue.run(companyId, async () => {
    const original = await files.open(buildFileKey(companyId, id));
    if (!original) throw createFailure('UNSUPPORTED_FILE', UNREADABLE_IMAGE);
    return resizeToBuffer(original, resize);
  });
  return files.receive(Readable.from([bytes]));
}

async function isImage(received: ReceivedFile): Promise<boolean> {
  const bytes = received.peek();
  const found = await fileTypeFromStream(Readable.toWeb(bytes)).finally(() => bytes.destroy());
  return IMAGE_TYPES.some((type) => type.mime === found?.mime);
}

async function resizeToBuffer(bytes: Readable, resize: ImageKind['resize']): Promise<Buffer> {
  try {
    const image = sharp({ limitInputPixels: MAX_PIXELS, failOn: 'error' }).timeout({ seconds: PROCESSING_TIMEOUT_SECONDS });
    const resizing = resize(image.autoOrient()).toBuffer();
    bytes.on('error', (error) => image.destroy(error)).pipe(image);
    return await resizing;
  } catch (error) {
    // A disk or store error is the server's fault. Any other error means that the image is invalid.
    if (isStorageFault(error)) throw error;
    const isTooLarge = error instanceof Error && /pixel limit|timeout/.test(error.message);
    throw isTooLarge ? createFailure('TOO_LARGE', TOO_MANY_PIXELS) : createFailure('UNSUPPORTED_FILE', NOT_AN_IMAGE);
  } finally {
    bytes.destroy();
  }
}
