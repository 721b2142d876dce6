import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { parseFileKey } from '../platform/files/file-store.ts';

/** Increment this when older versions of Callout can no longer read the archive. */
export const ARCHIVE_FORMAT = 1;

export const MANIFEST_NAME = 'manifest.json';
export const TRAILER_NAME = 'end.json';

/** Matches only names that Callout creates, so that retention deletes no other files. */
export const ARCHIVE_NAME_PATTERN = /^callout-backup-\d{4}-\d{2}-\d{2}T\d{6}Z\.tar\.gz$/;
export const PARTIAL_NAME_PATTERN = /^callout-backup-\d{4}-\d{2}-\d{2}T\d{6}Z\.tar\.gz\.[0-9a-f]{8}\.partial$/;

export function buildArchiveName(takenAt: Date): string {
  return `callout-backup-${takenAt.toISOString().slice(0, 19).replaceAll(':', '')}Z.tar.gz`;
}

/** Builds a temporary name, next to the target, for an archive that is still being written. */
export const buildPartialName = (target: string) => `${target}.${randomBytes(4).toString('hex')}.partial`;

/** The first entry of an archive, which contains everything that a restore needs to know before it reads rows. */
export const Manifest = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  /** The versions of Callout and PostgreSQL, for information only. */
  version: z.string(),
  postgres: z.string(),
  taken_at: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  /** The number of graphile-worker's latest migration. */
  queue_migration: z.int().positive(),
  /** Tables in the order of the archive, without generated columns. */
  tables: z.array(z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()).min(1) })).min(1),
  /** Excludes sequences that have never been used. */
  sequences: z.array(z.object({ schema: z.string(), name: z.string(), last_value: z.string().regex(/^-?\d+$/) })),
});
export type Manifest = z.output<typeof Manifest>;
export type ArchivedTable = Manifest['tables'][number];

/** The fields that every manifest has, including those of future formats. */
export const BaseManifest = z.object({ format: z.int(), version: z.string() });

/** The last entry of an archive. An archive without it is truncated. */
export const ArchiveTrailer = z.object({
  /** Row counts, keyed by '<schema>.<table>'. */
  rows: z.record(z.string(), z.int().nonnegative()),
  files: z.object({ count: z.int().nonnegative(), bytes: z.int().nonnegative() }),
  /** The keys of files that were missing on disk when the backup was taken. */
  missing: z.array(z.string()),
  /** The hash of the name, size and bytes of every earlier entry. */
  sha256: z.string(),
});
export type ArchiveTrailer = z.output<typeof ArchiveTrailer>;

export const getTableName = ({ schema, name }: { readonly schema: string; readonly name: string }) => `${schema}.${name}`;

export const buildRowsEntryName = (table: string, chunk: number) => `rows/${table}/${String(chunk).padStart(6, '0')}.copy`;
export const buildFileEntryName = (key: string) => `files/${key}`;

const ROWS_ENTRY_PATTERN = /^rows\/(.+)\/\d{6,}\.copy$/;

export const parseRowsEntryName = (entry: string) => ROWS_ENTRY_PATTERN.exec(entry)?.[1];

const FILES_FOLDER = buildFileEntryName('');

/** Returns undefined unless the key is valid, because a crafted name must not write outside the files folder. */
export function parseFileEntryName(entry: string): string | undefined {
  const key = entry.startsWith(FILES_FOLDER) ? entry.slice(FILES_FOLDER.length) : '';
  return parseFileKey(key) && key;
}
