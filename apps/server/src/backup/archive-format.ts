import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { parseFileKey } from '../platform/files/file-store.ts';

/** Incremented when older versions can no longer read the format. */
export const FORMAT = 1;

export const MANIFEST_NAME = 'manifest.json';
export const END_NAME = 'end.json';

/** A name pattern unique to Callout, so that retention deletes nothing else. */
export const ARCHIVE_NAME = /^callout-backup-\d{4}-\d{2}-\d{2}T\d{6}Z\.tar\.gz$/;
export const PARTIAL_NAME = /^callout-backup-\d{4}-\d{2}-\d{2}T\d{6}Z\.tar\.gz\.[0-9a-f]{8}\.partial$/;

export function archiveName(takenAt: Date): string {
  return `callout-backup-${takenAt.toISOString().slice(0, 19).replaceAll(':', '')}Z.tar.gz`;
}

/** The temporary name next to the target while it is written. */
export const partialName = (target: string) => `${target}.${randomBytes(4).toString('hex')}.partial`;

/** The first entry: what a restore needs before it reads rows. */
export const Manifest = z.object({
  format: z.literal(FORMAT),
  /** Of Callout and of PostgreSQL, for people. */
  version: z.string(),
  postgres: z.string(),
  taken_at: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  /** The number of graphile-worker's last migration. */
  queue_migration: z.int().positive(),
  /** In archive order; generated columns are left out. */
  tables: z.array(z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()).min(1) })).min(1),
  /** Excludes sequences that were never used. */
  sequences: z.array(z.object({ schema: z.string(), name: z.string(), last_value: z.string().regex(/^-?\d+$/) })),
});
export type Manifest = z.output<typeof Manifest>;
export type ArchivedTable = Manifest['tables'][number];

/** The fields of every manifest, including future formats. */
export const AnyManifest = z.object({ format: z.int(), version: z.string() });

/** The last entry: an archive without it is truncated. */
export const End = z.object({
  /** By '<schema>.<table>'. */
  rows: z.record(z.string(), z.int().nonnegative()),
  files: z.object({ count: z.int().nonnegative(), bytes: z.int().nonnegative() }),
  /** Keys of files whose bytes were missing when the backup was taken. */
  missing: z.array(z.string()),
  /** Over name, size and bytes of every entry before this one. */
  sha256: z.string(),
});
export type End = z.output<typeof End>;

export const tableName = ({ schema, name }: { readonly schema: string; readonly name: string }) => `${schema}.${name}`;

export const rowsEntry = (table: string, chunk: number) => `rows/${table}/${String(chunk).padStart(6, '0')}.copy`;
export const fileEntry = (key: string) => `files/${key}`;

const ROWS_ENTRY = /^rows\/(.+)\/\d{6,}\.copy$/;

export const tableOfEntry = (entry: string) => ROWS_ENTRY.exec(entry)?.[1];

const FILES_FOLDER = fileEntry('');

/** Accepts only valid file keys: a crafted name must not write outside the files folder. */
export function keyOfEntry(entry: string): string | undefined {
  const key = entry.startsWith(FILES_FOLDER) ? entry.slice(FILES_FOLDER.length) : '';
  return parseFileKey(key) && key;
}
