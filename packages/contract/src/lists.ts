import { z } from 'zod';
import { Cursor, Id, Search, SortOrder } from './fields.ts';

/** What every list of records has in common; the server side of it is `platform/db/keyset-list.ts`. */

export const PAGE_SIZE = 50;

export const byId = z.object({ id: Id });

/** Filters, search, sort and the page's start. A search in the default sort is ranked: name matches come first. */
export const listInput = <Filters extends z.ZodRawShape, Sort extends z.ZodType>(filters: Filters, sort: Sort, order: SortOrder = 'asc') =>
  z.object({ ...filters, search: Search.optional(), sort, order: SortOrder.default(order), cursor: Cursor.optional() });

export const countInput = <Filters extends z.ZodRawShape>(filters: Filters) => z.object({ ...filters, search: Search.optional() });

export const Count = z.object({ total: z.int() });

export const pageOf = <Row extends z.ZodType>(row: Row) => z.object({ rows: z.array(row), next_cursor: Cursor.nullable() });

/** Which field of a row matched the search, so that the page can show it. Null without a search. */
export const searchMatch = <const Names extends readonly string[]>(...names: Names) => z.enum([...names, 'other']).nullable();
