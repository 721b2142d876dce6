import { MAX_FILE_BYTES } from '@callout/domain/files/file-size';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { failure } from '../errors/failures.ts';

/** Lets the routes of this scope receive one file each as multipart form data. */
export async function registerUploadParser(scope: FastifyInstance): Promise<void> {
  await scope.register(multipart, { limits: { fileSize: MAX_FILE_BYTES, files: 1, fields: 0, parts: 1 } });
}

export async function uploadedFile(request: FastifyRequest): Promise<MultipartFile> {
  // The parser's own errors say what is wrong with the form.
  const file = request.isMultipart() ? await request.file().catch(() => undefined) : undefined;
  if (!file) throw failure('UNREADABLE', 'Please send one file as multipart form data.');
  return file;
}
