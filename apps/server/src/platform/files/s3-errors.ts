import { Readable } from 'node:stream';
import { FileStoreError } from './file-store.ts';

/** The service's names for failures that the operator can fix, with what to check. */
const KNOWN_PROBLEMS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'The bucket in FILES_URL does not exist.',
  AccessDenied: 'The file store denied access. Check the permissions of the access key.',
  InvalidAccessKeyId: 'The file store does not know the access key. Check AWS_ACCESS_KEY_ID.',
  SignatureDoesNotMatch: 'The file store rejected the secret key. Check AWS_SECRET_ACCESS_KEY and S3_REGION.',
  CredentialsProviderError: 'No access key for the file store was found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  AbortError: 'The file store did not answer in time.',
  TimeoutError: 'The file store did not answer in time.',
  RequestTimeTooSkewed: 'The file store rejected the request, because the clock of this server is wrong.',
};

/** Runs requests of the store, and converts their errors to a FileStoreError with the original as its cause. */
export async function runInStore<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toFileStoreError(error);
  }
}

/** Returns true if the service gave one of these names as the cause of a failed request. */
export const hasErrorName = (error: unknown, ...names: readonly string[]) =>
  error instanceof FileStoreError && error.cause instanceof Error && names.includes(error.cause.name);

/** A broken connection ends the stream with a FileStoreError, so that it isn't mistaken for a damaged file. */
export function translateStreamErrors(bytes: Readable): Readable {
  async function* readChunks() {
    try {
      yield* bytes as AsyncIterable<Buffer>;
    } catch (error) {
      throw toFileStoreError(error);
    }
  }
  return Readable.from(readChunks(), { objectMode: false });
}

function toFileStoreError(error: unknown): FileStoreError {
  if (error instanceof FileStoreError) return error;
  const { name, code, $metadata } = error as { name?: string; code?: string; $metadata?: { httpStatusCode?: number } };
  const reason = code ?? (name === 'Error' ? undefined : name) ?? 'no reason given';
  const hasResponse = $metadata?.httpStatusCode !== undefined;
  const message = KNOWN_PROBLEMS[name ?? ''] ?? `The file store ${hasResponse ? 'failed' : 'cannot be reached'} (${reason}).`;
  return new FileStoreError(message, { cause: error });
}
