import { Readable } from 'node:stream';
import { CSV_BYTE_ORDER_MARK, formatCsvLine } from '@callout/domain/documents/csv';
import type { Capability } from '@callout/domain/roles/roles';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { runTenantSnapshot, type TenantScope } from '../db/tenant-scope.ts';
import { createInvalidInputFailure } from '../errors/failures.ts';
import { createConcurrencyLimit } from '../limits/concurrency-limit.ts';
import { createFairQueue } from '../limits/fair-queue.ts';
import { createRateLimitFailure } from '../limits/rate-limit.ts';
import type { Platform } from './platform.ts';
import { requireTenant } from './request-session.ts';

/** A company downloads only one or two exports at a time, because each takes disk space until the browser has received it. */
const exportSlots = createConcurrencyLimit({ total: 50, perKey: 2 });
const EXPORT_RETRY_SECONDS = 10;
/** An export reads all of a list on one connection, so most connections are left to others. */
const exportReads = createFairQueue({ name: 'CSV exports', slots: 2, slotsPerGroup: 1, maxWaitingPerKey: 2, maxWaitMs: 15_000 });
/** Large enough that the number of statements doesn't matter, and small enough to hold in memory. */
const EXPORT_PAGE_SIZE = 2000;

interface ExportPage<Row> {
  readonly rows: readonly Row[];
  readonly next_cursor: string | null;
}

interface CsvExport<Input, Row> {
  readonly path: string;
  readonly needs: Capability;
  readonly input: z.ZodType<Input>;
  /** Runs once per export. All pages are read in the scope's snapshot. */
  readonly prepare: (scope: TenantScope, input: Input) => Promise<PreparedExport<Row>>;
  /** Each column's cell, by the column's title. */
  readonly columns: Readonly<Record<string, (row: Row) => string>>;
}

export interface PreparedExport<Row> {
  readonly fileName: string;
  readonly readPage: (page: { readonly cursor: string | undefined; readonly limit: number }) => Promise<ExportPage<Row>>;
}

/**
 * Registers the export of a list as a CSV file. All of its rows are as they were at one moment. They are written to disk first: a slow browser
 * holds no connection, and a failure returns an error instead of a truncated file.
 */
export function registerCsvExport<Input, Row>(app: FastifyInstance, platform: Platform, csvExport: CsvExport<Input, Row>): void {
  const { path, needs, input, prepare, columns } = csvExport;
  app.get(path, async (request, reply) => {
    const tenant = await requireTenant(request, platform, needs);
    const filters = parseQuery(request, input);
    const isCanceled = () => reply.raw.destroyed;
    // If the browser has canceled during the sign-in check, 'close' was emitted already and would never release the slot.
    if (isCanceled()) return reply.hijack();
    const release = exportSlots.tryAcquire(tenant.companyId);
    if (!release) throw createRateLimitFailure(EXPORT_RETRY_SECONDS, 'Other exports are still running. Please try again in a moment.');
    // Also emitted when the browser cancels the download.
    reply.raw.once('close', release);
    const writeFile = async (scope: TenantScope) => {
      const { fileName, readPage } = await prepare(scope, filters);
      return { fileName, file: await platform.files.receive(Readable.from(streamCsv(columns, readPage, isCanceled))) };
    };
    const { fileName, file } = await exportReads.run(tenant.companyId, () => runTenantSnapshot(platform.pools.app, tenant, writeFile));
    if (isCanceled()) {
      await file.discard();
      return reply.hijack();
    }
    reply.raw.once('close', () => void file.discard());
    // The person may have been removed while the export waited or was written.
    await requireTenant(request, platform, needs);
    return reply
      .type('text/csv; charset=utf-8')
      .headers({
        'content-disposition': `attachment; filename="${fileName}"`,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(file.peek());
  });
}

function parseQuery<Input>({ query }: FastifyRequest, schema: z.ZodType<Input>): Input {
  const { success, data, error } = schema.safeParse(query);
  if (!success) throw createInvalidInputFailure(Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), message])));
  return data;
}

/** Holds one page in memory. */
async function* streamCsv<Row>(
  columns: CsvExport<unknown, Row>['columns'],
  readPage: PreparedExport<Row>['readPage'],
  isCanceled: () => boolean,
): AsyncGenerator<string> {
  yield `${CSV_BYTE_ORDER_MARK}${formatCsvLine(Object.keys(columns))}`;
  let cursor: string | undefined;
  do {
    const { rows, next_cursor } = await readPage({ cursor, limit: EXPORT_PAGE_SIZE });
    yield rows.map((row) => formatCsvLine(Object.values(columns).map((cell) => cell(row)))).join('');
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined && !isCanceled());
}
