import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

export type FileLocation =
  | { readonly kind: 'folder'; readonly path: string }
  /** The prefix is empty or ends with a slash. */
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string };

export interface FilesConfig {
  readonly location: FileLocation;
  /** The store that is being left. Set only while files are moved. */
  readonly from: FileLocation | undefined;
  /** Whether browsers read files directly from S3, with signed URLs. */
  readonly signedReads: boolean;
  readonly s3: {
    /** If undefined, Amazon's. */
    readonly endpoint: string | undefined;
    readonly region: string;
    /** If undefined, the S3 client looks for them where other AWS programs do, such as in the machine's role. */
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string } | undefined;
  };
}

const S3_URL_PATTERN = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.-][\w./-]*)?)?$/;

const locationSetting = z.string().transform((text, context): FileLocation => {
  const [, bucket, path = ''] = S3_URL_PATTERN.exec(text) ?? [];
  const isPlainPath = path.split('/').every((part) => part !== '.' && part !== '..');
  if (bucket !== undefined && isPlainPath) return { kind: 's3', bucket, prefix: path === '' ? '' : `${path.replace(/\/+$/, '')}/` };
  const url = URL.parse(text);
  // Without a slash at the end, so that equal folders are equal texts.
  if (url?.protocol === 'file:' && url.host === '' && url.pathname !== '/') return { kind: 'folder', path: resolve(fileURLToPath(url)) };
  context.addIssue('must be a URL like s3://bucket/prefix or file:///folder');
  return z.NEVER;
});

/** The environment variables that choose where files are stored. */
export const FILE_SETTINGS = {
  FILES_URL: locationSetting.optional(),
  FILES_FROM_URL: locationSetting.optional(),
  FILES_SIGNED_READS: z
    .enum(['0', '1'], 'must be 0 or 1')
    .transform((text) => text === '1')
    .default(false),
  S3_ENDPOINT: z
    .string()
    .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be a URL like https://s3.example.com')
    .refine((text) => !URL.parse(text)?.username, 'must not contain a user. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead')
    .optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
};

type FileSettings = z.output<z.ZodObject<typeof FILE_SETTINGS>>;

const getDefaultLocation = (dataDir: string): FileLocation => ({ kind: 'folder', path: join(dataDir, 'files') });

/** Returns one line for each setting that doesn't go with another. */
export function listFileProblems(values: FileSettings, dataDir: string): string[] {
  const {
    FILES_URL: location = getDefaultLocation(dataDir),
    FILES_FROM_URL: from,
    AWS_ACCESS_KEY_ID: keyId,
    AWS_SECRET_ACCESS_KEY: secret,
  } = values;
  const problems: string[] = [];
  if (values.FILES_SIGNED_READS && location.kind !== 's3')
    problems.push('FILES_SIGNED_READS needs FILES_URL to be a URL like s3://bucket/prefix');
  if (from && isDeepStrictEqual(from, location)) problems.push('FILES_FROM_URL must differ from FILES_URL');
  if ((keyId === undefined) !== (secret === undefined)) problems.push('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together');
  return problems;
}

export function toFilesConfig(values: FileSettings, dataDir: string): FilesConfig {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = values;
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) } : undefined;
  return {
    location: values.FILES_URL ?? getDefaultLocation(dataDir),
    from: values.FILES_FROM_URL,
    signedReads: values.FILES_SIGNED_READS,
    s3: { endpoint: values.S3_ENDPOINT, region: values.S3_REGION, credentials },
  };
}
