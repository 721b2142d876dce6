import { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import { failure, isFailure } from '../errors/failures.ts';
import type { FileStore, ReceivedFile } from './file-store.ts';

/** How often the free space is checked while a file arrives. */
const CHECK_EVERY_BYTES = 2 * 1024 * 1024;

/** Throws when there is no space for a file of `bytes`, of which `toCome` have yet to arrive. */
export type SpaceCheck = (bytes: number, toCome: number) => Promise<void>;

/** Receives a request's upload to disk, without keeping it yet. */
export async function receiveUpload(files: FileStore, upload: MultipartFile, checkSpace: SpaceCheck): Promise<ReceivedFile> {
  try {
    return await files.receive(Readable.from(checkWhileReading(upload.file, checkSpace)));
  } catch (error) {
    // Disk errors are ours; anything else is an interrupted connection.
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
