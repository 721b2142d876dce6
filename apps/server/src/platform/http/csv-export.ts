import { Readable } from 'node:stream';
import { CSV_BYTE_ORDER_MARK, formatCsvLine } from '@callout/domain/documents/csv';
import type { Capability } from '@callout/domain/roles/roles';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { runTenantQuery, type TenantScope } from '../db/tenant-scope.ts';
import { createInvalidInputFailure } from '../errors/failures.ts';
import { createConcurrencyLimit } from '../limits/concurrency-limit.ts';
import { createRateLimitFailure } from '../limits/rate-limit.ts';
import type { Platform } from './platform.ts';
import { requireTenant } from './request-session.ts';

/** An export reads all of a list, so a company runs only one or two at a time and leaves the database to others. */
const exportSlots = createConcurrencyLimit({ total: 8, perKey: 2 });
const EXPORT_RETRY_SECONDS = 10;
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
  /** Runs once per export. */
  readonly prepare: (scope: TenantScope, input: Input) => Promise<PreparedExport<Row>>;
  /** Each column's cell, by the column's title. */
  readonly columns: Readonly<Record<string, (row: Row) => string>>;
}

export interface PreparedExport<Row> {
  readonly fileName: string;
  readonly readPage: (
    scope: TenantScope,
    page: { readonly cursor: string | undefined; readonly limit: number },
  ) => Promise<ExportPage<Row>>;
}

/** Registers the export of a list as a CSV file, which is streamed page by page. */
export function registerCsvExport<Input, Row>(app: FastifyInstance, platform: Platform, csvExport: CsvExport<Input, Row>): void {
  const { path, needs, input, prepare, columns } = csvExport;
  const pool = platform.pools.app;
  app.get(path, async (request, reply) => {
    const tenant = await requireTenant(request, platform, needs);
    const filters = parseQuery(request, input);
    // If the browser has canceled during the sign-in check, 'close' was emitted already and would never release the slot.
    if (reply.raw.destroyed) return reply.hijack();
    const release = exportSlots.tryAcquire(tenant.companyId);
    if (!release) throw createRateLimitFailure(EXPORT_RETRY_SECONDS, 'Other exports are still running. Please try again in a moment.');
    // Also emitted when the browser cancels the download.
    reply.raw.once('close', release);
    const { fileName, readPage } = await runTenantQuery(pool, tenant, (scope) => prepare(scope, filters));
    const pages = streamPages((page) => runTenantQuery(pool, tenant, (scope) => readPage(scope, page)));
    // Read the first page before responding, so that a failure returns an error instead of a truncated file.
    const firstPage = await pages.next();
    return reply
      .type('text/csv; charset=utf-8')
      .headers({
        'content-disposition': `attachment; filename="${fileName}"`,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(Readable.from(streamCsv(columns, firstPage.value ?? [], pages)));
  });
}

function parseQuery<Input>({ query }: FastifyRequest, schema: z.ZodType<Input>): Input {
  const { success, data, error } = schema.safeParse(query);
  if (!success) throw createInvalidInputFailure(Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), message])));
  return data;
}

/** Holds one page in memory, and no connection while the client reads. */
async function* streamPages<Row>(readPage: (page: { cursor: string | undefined; limit: number }) => Promise<ExportPage<Row>>) {
  let cursor: string | undefined;
  do {
    const { rows, next_cursor } = await readPage({ cursor, limit: EXPORT_PAGE_SIZE });
    yield rows;
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
}

async function* streamCsv<Row>(
  columns: CsvExport<unknown, Row>['columns'],
  firstPage: readonly Row[],
  otherPages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const formatRows = (rows: readonly Row[]) => rows.map((row) => formatCsvLine(Object.values(columns).map((cell) => cell(row)))).join('');
  yield `${CSV_BYTE_ORDER_MARK}${formatCsvLine(Object.keys(columns))}${formatRows(firstPage)}`;
  for await (const page of otherPages) yield formatRows(page);
}
