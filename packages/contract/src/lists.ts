import { MAX_COUNT } from '@callout/domain/text/count-format';
import { z } from 'zod';
import { Cursor, Id, SearchTerm, SortOrder } from './fields.ts';

/** Schemas shared by all lists of records. The server's counterpart is `platform/db/keyset-list.ts`. */

export const PAGE_SIZE = 50;

export const idInput = z.object({ id: Id });

/** Builds a list's input schema. In the default sort order, search results with a matching name come first. */
export const listInput = <Filters extends z.ZodRawShape, Sort extends z.ZodType>(filters: Filters, sort: Sort, order: SortOrder = 'asc') =>
  z.object({ ...filters, search: SearchTerm.optional(), sort, order: SortOrder.default(order), cursor: Cursor.optional() });

export const countInput = <Filters extends z.ZodRawShape>(filters: Filters) => z.object({ ...filters, search: SearchTerm.optional() });

/** A number of records. One more than `MAX_COUNT` means that there are more. */
export const CappedCount = z
  .int()
  .max(MAX_COUNT + 1)
  .describe(`Exact up to ${MAX_COUNT}; ${MAX_COUNT + 1} means more`);

export const RecordCount = z.object({ total: CappedCount });

export const pageSchema = <Row extends z.ZodType>(row: Row) => z.object({ rows: z.array(row), next_cursor: Cursor.nullable() });

/** Names the field that matched the search, so that the page can show why a row was found; null without a search. */
export const matchedField = <const Names extends readonly string[]>(...names: Names) => z.enum([...names, 'other']).nullable();
