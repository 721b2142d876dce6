import type { Access } from '@callout/contract/call';
import { errorStatus, storageErrors } from '@callout/contract/errors';
import { WRONG_FILE_TYPE } from '@callout/domain/files/attachment';
import type { OpenAPI } from '@orpc/contract';

/** A route that moves a file, which the contract cannot describe. */
export interface FileRoute {
  readonly method: 'get' | 'put';
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  readonly tag: string;
  readonly answers: FileAnswer;
  readonly receives?: OpenAPI.SchemaObject;
  /** The call whose filters it takes. */
  readonly filters?: string;
}

/** Why an upload is not kept. */
export const UPLOAD_REFUSALS: Readonly<Record<number, string>> = {
  [errorStatus.TOO_LARGE]: `TOO_LARGE: The file is larger than is accepted here.\n\nQUOTA_EXCEEDED: ${storageErrors.QUOTA_EXCEEDED.message}`,
  [errorStatus.UNSUPPORTED_FILE]: `UNSUPPORTED_FILE: ${WRONG_FILE_TYPE}`,
  [errorStatus.DISK_FULL]: `DISK_FULL: ${storageErrors.DISK_FULL.message}`,
};

interface FileAnswer {
  readonly status: number;
  readonly type: string;
  readonly schema: OpenAPI.SchemaObject;
}

const bytes = (type: string): FileAnswer => ({ status: 200, type, schema: { type: 'string', contentMediaType: type } });

const fields = (status: number, ...names: string[]): FileAnswer => ({
  status,
  type: 'application/json',
  schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])), required: names },
});

const ANY_FILE = bytes('application/octet-stream');
const IMAGE = bytes('image/*');
const PDF = bytes('application/pdf');

const ONE_FILE: OpenAPI.SchemaObject = {
  type: 'object',
  properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
  required: ['file'],
};

const upload = (path: string, summary: string, access: Access, answers: FileAnswer): FileRoute => {
  return { method: 'put', path, summary, access, tag: 'files', answers, receives: ONE_FILE };
};

const download = (path: string, summary: string, access: Access, answers: FileAnswer, tag = 'files'): FileRoute => {
  return { method: 'get', path, summary, access, tag, answers };
};

export const FILE_ROUTES: readonly FileRoute[] = [
  upload(
    '/files/{id}',
    'Upload a file under a client-made id, to attach it to a comment or a quote',
    'files.add',
    fields(201, 'id', 'url'),
  ),
  download('/files/{id}', 'A file of the company', 'work.view', ANY_FILE),
  download('/files/{id}/thumbnail', 'A small version of an image', 'work.view', IMAGE),
  download('/images/{id}', "A company's logo or a person's picture", 'public', IMAGE),
  upload('/company/logo', 'Replace the logo', 'company.edit', fields(200, 'avatar_url')),
  upload('/me/avatar', 'Replace your own picture', 'work.view', fields(200, 'avatar_url')),
  upload('/staff/{id}/avatar', "Replace a staff member's picture", 'staff.manage', fields(200, 'avatar_url')),
  download('/quotes/{id}/pdf', 'A quote as it is now, as a PDF', 'quotes.view', PDF),
  download('/quotes/{id}/accepted.pdf', 'A quote as the customer accepted it, as a PDF', 'quotes.view', PDF),
  download('/jobs/{id}/accepted-quote.pdf', 'The accepted quote that a job was made from, as a PDF', 'quotes.view', PDF),
  download('/invoices/{id}/pdf', 'An invoice or a credit note as it was issued, as a PDF', 'payments.manage', PDF),
  download('/jobs/{id}/invoice.pdf', 'What an invoice of the job would look like now, as a PDF', 'payments.manage', PDF),
  {
    ...download('/invoices.csv', 'The invoices of a filter, as a file for the bookkeeper', 'payments.manage', bytes('text/csv')),
    filters: '/invoices/count',
  },
  download('/public/quotes/{token}/pdf', 'The quote of a link, as a PDF', 'public', PDF, 'public pages'),
  download('/public/quotes/{token}/files/{id}', 'A file attached to the quote of a link', 'public', ANY_FILE, 'public pages'),
  download(
    '/public/quotes/{token}/files/{id}/thumbnail',
    'A small version of an image attached to the quote',
    'public',
    IMAGE,
    'public pages',
  ),
  download('/public/invoices/{token}/pdf', 'The invoice of a link, as a PDF', 'public', PDF, 'public pages'),
  download('/public/calendar/{token}.ics', "A person's calendar as an iCalendar feed", 'public', bytes('text/calendar'), 'calendar'),
  download('/live', 'A stream of server-sent events that names what has changed', 'signed-in', bytes('text/event-stream'), 'company'),
];
