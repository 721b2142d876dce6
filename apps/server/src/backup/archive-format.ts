import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { parseFileKey } from '../platform/files/file-store.ts';

/** Increment this after a change that older versions of Callout can't read. */
export const ARCHIVE_FORMAT = 1;

export const MANIFEST_NAME = 'manifest.json';
export const TRAILER_NAME = 'end.json';

/** Matches only names that Callout creates, so that deleting old backups never removes other files. */
export const ARCHIVE_NAME_PATTERN = /^callout-backup-\d{4}-\d{2}-\d{2}T\d{6}Z\.tar\.gz$/;
export const PARTIAL_NAME_PATTERN = /^callout-backup-\d{4}-\d{2}-\d{2}T\d{6}Z\.tar\.gz\.[0-9a-f]{8}\.partial$/;

/** Matches the archive of a backup that could not read every file. */
export const INCOMPLETE_NAME_PATTERN = /^callout-backup-\d{4}-\d{2}-\d{2}T\d{6}Z-incomplete\.tar\.gz$/;

/** Builds the path of an archive that lacks files. It differs from the name of a complete one, so that it never takes its place. */
export const buildIncompleteName = (target: string) => target.replace(/(\.tar\.gz|\.tgz)?$/, '-incomplete$1');

export function buildArchiveName(takenAt: Date): string {
  return `callout-backup-${takenAt.toISOString().slice(0, 19).replaceAll(':', '')}Z.tar.gz`;
}

/** Builds a temporary path next to `target` for an archive that is still being written. */
export const buildPartialName = (target: string) => `${target}.${randomBytes(4).toString('hex')}.partial`;

/** The archive's first entry, with everything that a restore needs to know before it reads any rows. */
export const Manifest = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  /** Callout's version. Like `postgres`, it is only informational and doesn't affect a restore. */
  version: z.string(),
  postgres: z.string(),
  taken_at: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  /** Number of the latest graphile-worker migration in the backed-up database. */
  queue_migration: z.int().positive(),
  /** Tables in archive order. `columns` omits generated columns, because PostgreSQL computes them. */
  tables: z.array(z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()).min(1) })).min(1),
  /** Omits sequences that have never been used, because they have no last value. */
  sequences: z.array(z.object({ schema: z.string(), name: z.string(), last_value: z.string().regex(/^-?\d+$/) })),
});
export type Manifest = z.output<typeof Manifest>;
export type ArchivedTable = Manifest['tables'][number];

/** The fields that every manifest has, even in future formats, so that an archive from a newer version can be recognized. */
export const BaseManifest = z.object({ format: z.int(), version: z.string() });

/** The archive's last entry. An archive without a trailer was truncated. */
export const ArchiveTrailer = z.object({
  /** Row counts, keyed by '<schema>.<table>'. */
  rows: z.record(z.string(), z.int().nonnegative()),
  files: z.object({ count: z.int().nonnegative(), bytes: z.int().nonnegative() }),
  /** Keys of the files that the store did not have when the backup was taken. */
  missing: z.array(z.string()),
  /** Hash of every earlier entry's name, size and bytes. */
  sha256: z.string(),
});
export type ArchiveTrailer = z.output<typeof ArchiveTrailer>;

export const getQualifiedTableName = ({ schema, name }: { readonly schema: string; readonly name: string }) => `${schema}.${name}`;

export const buildRowsEntryName = (table: string, chunk: number) => `rows/${table}/${String(chunk).padStart(6, '0')}.copy`;
export const buildFileEntryName = (key: string) => `files/${key}`;

const ROWS_ENTRY_PATTERN = /^rows\/(.+)\/\d{6,}\.copy$/;

export const parseRowsEntryName = (entry: string) => ROWS_ENTRY_PATTERN.exec(entry)?.[1];

const FILES_FOLDER = buildFileEntryName('');

/** Returns the entry's file key, or undefined if the key is invalid, so that a crafted archive can't write outside the files folder. */
export function parseFileEntryName(entry: string): string | undefined {
  const key = entry.startsWith(FILES_FOLDER) ? entry.slice(FILES_FOLDER.length) : '';
  return parseFileKey(key) && key;
}
