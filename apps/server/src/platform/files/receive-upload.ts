import { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import { failure, isFailure } from '../errors/failures.ts';
import type { FileStore, ReceivedFile } from './file-store.ts';

/** How often the room is looked at while a file arrives. */
const CHECK_EVERY_BYTES = 2 * 1024 * 1024;

/** Throws when there is no room for a file of so many bytes, of which so many are still to come. */
export type SpaceCheck = (bytes: number, toCome: number) => Promise<void>;

/** What a request uploads, on disk and not yet kept. */
export async function receiveUpload(files: FileStore, upload: MultipartFile, checkSpace: SpaceCheck): Promise<ReceivedFile> {
  try {
    return await files.receive(Readable.from(checkWhileReading(upload.file, checkSpace)));
  } catch (error) {
    // What the disk refuses is our fault; everything else is a connection that broke off.
    const isOurs = isFailure(error) || (error instanceof Error && 'syscall' in error);
    throw isOurs ? error : failure('UNREADABLE', 'The upload was interrupted. Please try again.');
  }
}

async function* checkWhileReading(bytes: AsyncIterable<Buffer>, checkSpace: SpaceCheck): AsyncGenerator<Buffer> {
  let arrived = 0;
  let nextCheck = CHECK_EVERY_BYTES;
  for await (const chunk of bytes) {
    arrived += chunk.length;
    if (arrived >= nextCheck) {
      await checkSpace(arrived, 0);
      nextCheck = arrived + CHECK_EVERY_BYTES;
    }
    yield chunk;
  }
}
