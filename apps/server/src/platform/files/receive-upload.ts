import { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import { createFailure, isFailure } from '../errors/failures.ts';
import { type FileStore, isStorageFault, type ReceivedFile } from './file-store.ts';

/** Number of bytes received between two checks of the free space. */
const SPACE_CHECK_INTERVAL_BYTES = 2 * 1024 * 1024;

/** Throws if there is no space for a file of `bytes`, of which `remaining` have yet to arrive. */
export type SpaceCheck = (bytes: number, remaining: number) => Promise<void>;

/** Writes an upload to disk without saving it under a key yet. */
export async function receiveUpload(files: FileStore, upload: MultipartFile, checkSpace: SpaceCheck): Promise<ReceivedFile> {
  try {
    return await files.receive(Readable.from(readWithSpaceChecks(upload.file, checkSpace)));
  } catch (error) {
    // A disk error is the server's fault. Any other error means that the connection was interrupted.
    throw isFailure(error) || isStorageFault(error) ? error : createFailure('UNREADABLE', 'The upload was interrupted. Please try again.');
  }
}

async function* readWithSpaceChecks(bytes: AsyncIterable<Buffer>, checkSpace: SpaceCheck): AsyncGenerator<Buffer> {
  let arrived = 0;
  let nextCheck = SPACE_CHECK_INTERVAL_BYTES;
  for await (const chunk of bytes) {
    arrived += chunk.length;
    if (arrived >= nextCheck) {
      await checkSpace(arrived, 0);
      nextCheck = arrived + SPACE_CHECK_INTERVAL_BYTES;
    }
    yield chunk;
  }
}
