import { Readable } from 'node:stream';
import { IMAGE_TYPES } from '@callout/domain/files/file-types';
import { fileTypeFromStream } from 'file-type';
import sharp, { type Sharp } from 'sharp';
import { createFairQueue } from '../db/fair-queue.ts';
import { failure, isFailure } from '../errors/failures.ts';
import type { FileStore, ReceivedFile } from './file-store.ts';
import type { FilePurpose } from './files.table.ts';

/** What a kind of image must be and becomes. */
export interface ImageKind {
  readonly purpose: Extract<FilePurpose, 'logo' | 'avatar'>;
  isSizeAllowed(bytes: number): boolean;
  readonly tooLarge: string;
  readonly file_type: 'image/png' | 'image/webp';
  /** Resized for the largest place that shows it; camera metadata is dropped. */
  fit(image: Sharp): Sharp;
}

const NOT_AN_IMAGE = 'Please select an image file';
const UNREADABLE_IMAGE = 'This image is damaged. Please select another one.';
const TOO_MANY_PIXELS = 'This image has too many pixels. Please select a smaller one.';

/** Prevents decompression bombs. A 50-megapixel phone takes 8160 by 6144. */
const MAX_PIXELS = 52_000_000;
const PROCESSING_TIMEOUT_SECONDS = 20;

/** An image takes a CPU core and hundreds of megabytes: only one is processed at a time, so that other requests are served;
 * companies take turns. As many may wait as may be uploaded at once: a photo that has arrived is not refused. */
const imageQueue = createFairQueue({ slots: 1, slotsPerKey: 1, waitingPerKey: 10, maxWaitMs: 60_000 });
sharp.concurrency(1);

/** Checks that the file really is an image and resizes it. */
export async function smallImage(
  files: FileStore,
  companyId: string,
  received: ReceivedFile,
  { kind, isCutOff }: { readonly kind: ImageKind; readonly isCutOff: boolean },
): Promise<ReceivedFile> {
  if (isCutOff || !kind.isSizeAllowed(received.size)) throw failure('TOO_LARGE', kind.tooLarge);
  if (!(await isImage(received))) throw failure('UNSUPPORTED_FILE', NOT_AN_IMAGE);
  const bytes = await imageQueue.run(companyId, () => resized(received, kind.fit));
  return files.receive(Readable.from([bytes]));
}

const THUMBNAIL_SIDE = 320;

/** A small webp of an image, without camera metadata. Null when it has too many pixels to be opened. */
export async function makeThumbnail(files: FileStore, companyId: string, image: ReceivedFile): Promise<ReceivedFile | null> {
  const fit = (picture: Sharp) =>
    picture.resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 75 });
  try {
    const bytes = await imageQueue.run(companyId, () => resized(image, fit));
    return await files.receive(Readable.from([bytes]));
  } catch (error) {
    if (isFailure(error) && error.code === 'TOO_LARGE') return null;
    throw isFailure(error) && error.code === 'UNSUPPORTED_FILE' ? failure('UNSUPPORTED_FILE', UNREADABLE_IMAGE) : error;
  }
}

async function isImage(received: ReceivedFile): Promise<boolean> {
  const bytes = received.peek();
  const found = await fileTypeFromStream(Readable.toWeb(bytes)).finally(() => bytes.destroy());
  return IMAGE_TYPES.some((type) => type.mime === found?.mime);
}

async function resized(received: ReceivedFile, fit: ImageKind['fit']): Promise<Buffer> {
  const bytes = received.peek();
  try {
    const image = sharp({ limitInputPixels: MAX_PIXELS, failOn: 'error' }).timeout({ seconds: PROCESSING_TIMEOUT_SECONDS });
    const resizing = fit(image.autoOrient()).toBuffer();
    bytes.on('error', (error) => image.destroy(error)).pipe(image);
    return await resizing;
  } catch (error) {
    // Disk errors are ours; anything else is an invalid image.
    if (error instanceof Error && 'syscall' in error) throw error;
    const isTooMuch = error instanceof Error && /pixel limit|timeout/.test(error.message);
    throw isTooMuch ? failure('TOO_LARGE', TOO_MANY_PIXELS) : failure('UNSUPPORTED_FILE', NOT_AN_IMAGE);
  } finally {
    bytes.destroy();
  }
}
