import type { CallAccess } from '@callout/contract/call';
import { ERROR_STATUS, storageErrors } from '@callout/contract/errors';
import { WRONG_FILE_TYPE_ERROR } from '@callout/domain/files/attachment';
import type { OpenAPI } from '@orpc/contract';

/** A route for binary data, which the contract can't describe. */
export interface FileRoute {
  readonly method: 'get' | 'put';
  readonly path: string;
  readonly summary: string;
  readonly access: CallAccess;
  readonly tag: string;
  readonly response: FileResponse;
  readonly uploadSchema?: OpenAPI.SchemaObject;
  /** The path of a call with the same filters, which are copied to this route's documentation. */
  readonly filtersFromPath?: string;
}

export const UPLOAD_ERRORS: Readonly<Record<number, string>> = {
  [ERROR_STATUS.TOO_LARGE]: `TOO_LARGE: The file is too large.\n\nQUOTA_EXCEEDED: ${storageErrors.QUOTA_EXCEEDED.message}`,
  [ERROR_STATUS.UNSUPPORTED_FILE]: `UNSUPPORTED_FILE: ${WRONG_FILE_TYPE_ERROR}`,
  [ERROR_STATUS.DISK_FULL]: `DISK_FULL: ${storageErrors.DISK_FULL.message}`,
};

interface FileResponse {
  readonly status: number;
  readonly type: string;
  readonly schema: OpenAPI.SchemaObject;
}

const binaryResponse = (type: string): FileResponse => ({ status: 200, type, schema: { type: 'string', contentMediaType: type } });

const jsonResponse = (status: number, ...names: string[]): FileResponse => ({
  status,
  type: 'application/json',
  schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])), required: names },
});

const ANY_FILE = binaryResponse('application/octet-stream');
const IMAGE = binaryResponse('image/*');
const PDF = binaryResponse('application/pdf');

const UPLOAD_SCHEMA: OpenAPI.SchemaObject = {
  type: 'object',
  properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
  required: ['file'],
};

const defineUpload = (path: string, summary: string, access: CallAccess, response: FileResponse): FileRoute => {
  return { method: 'put', path, summary, access, tag: 'files', response, uploadSchema: UPLOAD_SCHEMA };
};

const defineDownload = (path: string, summary: string, access: CallAccess, response: FileResponse, tag = 'files'): FileRoute => {
  return { method: 'get', path, summary, access, tag, response };
};

export const FILE_ROUTES: readonly FileRoute[] = [
  defineUpload('/files/{id}', 'Upload a file to attach to a comment or quote', 'files.add', jsonResponse(201, 'id', 'url')),
  defineDownload('/files/{id}', 'Download a file', 'work.view', ANY_FILE),
  defineDownload('/files/{id}/thumbnail', "Download an image's thumbnail", 'work.view', IMAGE),
  defineDownload('/images/{id}', 'Download a logo or profile picture', 'public', IMAGE),
  defineUpload('/company/logo', 'Replace the company logo', 'company.edit', jsonResponse(200, 'avatar_url')),
  defineUpload('/me/avatar', 'Replace my profile picture', 'work.view', jsonResponse(200, 'avatar_url')),
  defineUpload('/staff/{id}/avatar', "Replace a staff member's profile picture", 'staff.manage', jsonResponse(200, 'avatar_url')),
  defineDownload('/quotes/{id}/pdf', 'Download the current version of a quote as a PDF', 'quotes.view', PDF),
  defineDownload('/quotes/{id}/accepted.pdf', 'Download the accepted version of a quote as a PDF', 'quotes.view', PDF),
  defineDownload('/jobs/{id}/accepted-quote.pdf', "Download a job's accepted quote as a PDF", 'quotes.view', PDF),
  defineDownload('/invoices/{id}/pdf', 'Download an invoice or credit note as a PDF', 'payments.manage', PDF),
  defineDownload('/jobs/{id}/invoice.pdf', "Preview a job's invoice as a PDF", 'payments.manage', PDF),
  {
    ...defineDownload('/invoices.csv', 'Export invoices as CSV', 'payments.manage', binaryResponse('text/csv')),
    filtersFromPath: '/invoices/count',
  },
  {
    ...defineDownload('/payments.csv', 'Export payments as CSV', 'payments.manage', binaryResponse('text/csv')),
    filtersFromPath: '/payments/summary',
  },
  defineDownload('/public/quotes/{token}/pdf', 'Download a quote as a PDF', 'public', PDF, 'public pages'),
  defineDownload('/public/quotes/{token}/files/{id}', 'Download a file attached to a quote', 'public', ANY_FILE, 'public pages'),
  defineDownload('/public/quotes/{token}/files/{id}/thumbnail', "Download an image's thumbnail", 'public', IMAGE, 'public pages'),
  defineDownload('/public/invoices/{token}/pdf', 'Download an invoice as a PDF', 'public', PDF, 'public pages'),
  defineDownload('/public/calendar/{token}.ics', 'Subscribe to a calendar feed', 'public', binaryResponse('text/calendar'), 'calendar'),
  defineDownload('/live', 'Stream changes as server-sent events', 'signed-in', binaryResponse('text/event-stream'), 'company'),
];
