/**
 * Version of the data that this browser stores for later visits: answers of the server, under the query keys of the page. An update of
 * Callout keeps what is stored, unless it raises this number. Raise it when a page could not show what an earlier one has stored:
 *
 * - when an answer changes incompatibly: a new required field, another type, or an enum value that is gone
 *   (`app/offline/data-version.test.ts` finds out);
 * - when a query keeps another part of the answer under the same key.
 *
 * New optional fields, new enum values and removed fields need nothing. Commands and drafts have nothing to do with this: they are never
 * dropped.
 */
export const DATA_VERSION = 1;
