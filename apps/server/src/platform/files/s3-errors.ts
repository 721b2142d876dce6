import { finished, PassThrough, type Readable } from 'node:stream';
import { FileStoreError, FileStoreSettingsError } from './file-store.ts';

/** The service's names for failures that the operator can fix, with what to check. */
const SETTINGS_PROBLEMS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'The bucket in FILES_URL does not exist.',
  AccessDenied: 'The file store denied access. Check the permissions of the access key.',
  InvalidAccessKeyId: 'The file store does not know the access key. Check AWS_ACCESS_KEY_ID.',
  SignatureDoesNotMatch: 'The file store rejected the secret key. Check AWS_SECRET_ACCESS_KEY and S3_REGION.',
  CredentialsProviderError: 'No access key for the file store was found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
};

/** Failures that may pass without a change of the settings. */
const OTHER_PROBLEMS: Readonly<Record<string, string>> = {
  AbortError: 'The file store did not answer in time.',
  TimeoutError: 'The file store did not answer in time.',
  RequestTimeTooSkewed: 'The file store rejected the request, because the clock of this server is wrong.',
};

/** Statuses of a server that is no file store, or not the one with this bucket. */
const REFUSED_STATUSES: ReadonlySet<number> = new Set([301, 307, 400, 401, 403, 404, 405]);

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

/**
 * A broken connection ends the stream with a FileStoreError, so that it isn't mistaken for a damaged file. Closing the stream closes the
 * connection at once, also while it waits for bytes.
 */
export function translateStreamErrors(bytes: Readable): Readable {
  const translated = new PassThrough();
  // Not `pipeline`, which would end the translated stream with the original error.
  finished(bytes, (error) => error && translated.destroy(toFileStoreError(error)));
  translated.once('close', () => bytes.destroy());
  // The connection may break before anyone reads. Whoever reads then still gets the error.
  translated.on('error', () => undefined);
  return bytes.pipe(translated);
}

function toFileStoreError(error: unknown): FileStoreError {
  if (error instanceof FileStoreError) return error;
  const { name, code, $metadata } = error as { name?: string; code?: string; $metadata?: { httpStatusCode?: number } };
  const reason = code ?? (name === 'Error' ? undefined : name) ?? 'no reason given';
  const status = $metadata?.httpStatusCode;
  const settingsProblem = SETTINGS_PROBLEMS[name ?? ''];
  if (settingsProblem !== undefined) return new FileStoreSettingsError(settingsProblem, { cause: error });
  const otherProblem = OTHER_PROBLEMS[name ?? ''];
  if (otherProblem !== undefined) return new FileStoreError(otherProblem, { cause: error });
  if (status === undefined) return new FileStoreError(`The file store cannot be reached (${reason}).`, { cause: error });
  if (!REFUSED_STATUSES.has(status)) return new FileStoreError(`The file store failed (${reason}).`, { cause: error });
  const message = `The file store refused the request (${reason}, status ${status}). Check FILES_URL, S3_ENDPOINT and S3_REGION.`;
  return new FileStoreSettingsError(message, { cause: error });
}
