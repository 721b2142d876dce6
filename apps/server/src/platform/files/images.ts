import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { IMAGE_TYPES } from '@callout/domain/files/file-types';
import type { MultipartFile } from '@fastify/multipart';
import { fileTypeFromStream } from 'file-type';
import sharp, { type Sharp } from 'sharp';
import { changeAs, type Tenant, type TenantScope } from '../db/tenant-scope.ts';
import { failure } from '../http/failures.ts';
import type { Platform } from '../platform.ts';
import { defineTask } from '../queue/task.ts';
import type { ReceivedFile } from './file-store.ts';
import { deleteFile, insertFile } from './files.sql.ts';
import type { FilePurpose } from './files.table.ts';
import { fileKey, receiveUpload } from './receive-file.ts';

/** What a kind of image must be and becomes. */
export interface ImageKind {
  readonly purpose: Exclude<FilePurpose, 'attachment'>;
  isSizeAllowed(bytes: number): boolean;
  readonly tooLarge: string;
  readonly file_type: 'image/png' | 'image/webp';
  /** As small as the largest place that shows it; whatever a camera wrote into it is left behind. */
  fit(image: Sharp): Sharp;
}

export const NOT_AN_IMAGE = 'Please select an image file';

/** A small file can unfold to any size in memory: more than any camera takes is refused. */
const MOST_PIXELS = 120_000_000;

const URL_START = '/api/images/';

/**
 * Takes an image in, looks at what it really is, makes it small and stores it under a new address. In the same transaction `place`
 * puts the address where it belongs and gives back the one it replaces, whose image is then removed.
 */
export async function receiveImage(
  platform: Platform,
  tenant: Tenant,
  upload: MultipartFile,
  kind: ImageKind,
  place: (scope: TenantScope, url: string) => Promise<string | null>,
): Promise<string> {
  const image = await smallImage(platform, upload, kind);
  const id = randomUUID();
  const url = `${URL_START}${id}`;
  try {
    await changeAs(platform.pools.app, tenant, async (scope) => {
      const file = { id, file_name: kind.purpose, file_size: image.size, file_type: kind.file_type };
      await insertFile(scope, file, kind.purpose);
      await removeImage(scope, await place(scope, url));
      await image.keep(fileKey(tenant.companyId, id));
    });
  } finally {
    await image.discard();
  }
  return url;
}

/** Its row at once, its bytes as soon as this transaction is committed. */
export async function removeImage(scope: TenantScope, url: string | null): Promise<void> {
  if (!url?.startsWith(URL_START)) return;
  const id = url.slice(URL_START.length);
  if (await deleteFile(scope, id)) await removeFile.later(scope, { key: fileKey(scope.companyId, id) });
}

export const removeFile = defineTask<{ key: string }>('remove-file', ({ key }, platform) => platform.files.remove(key));

async function smallImage(platform: Platform, upload: MultipartFile, kind: ImageKind): Promise<ReceivedFile> {
  const received = await receiveUpload(platform, upload);
  try {
    if (upload.file.truncated || !kind.isSizeAllowed(received.size)) throw failure('TOO_LARGE', kind.tooLarge);
    if (!(await isImage(received))) throw failure('UNSUPPORTED_FILE', NOT_AN_IMAGE);
    const bytes = await resized(received, kind);
    return await platform.files.receive(Readable.from([bytes]));
  } finally {
    await received.discard();
  }
}

async function isImage(received: ReceivedFile): Promise<boolean> {
  const bytes = received.peek();
  const found = await fileTypeFromStream(Readable.toWeb(bytes)).finally(() => bytes.destroy());
  return IMAGE_TYPES.some((type) => type.mime === found?.mime);
}

async function resized(received: ReceivedFile, kind: ImageKind): Promise<Buffer> {
  const bytes = received.peek();
  try {
    const image = sharp({ limitInputPixels: MOST_PIXELS, failOn: 'error' });
    const reading = kind.fit(image.autoOrient()).toBuffer();
    bytes.on('error', (error) => image.destroy(error)).pipe(image);
    return await reading;
  } catch (error) {
    // What the disk refuses is our fault; everything else is an image that is none.
    throw error instanceof Error && 'syscall' in error ? error : failure('UNSUPPORTED_FILE', NOT_AN_IMAGE);
  } finally {
    bytes.destroy();
  }
}
