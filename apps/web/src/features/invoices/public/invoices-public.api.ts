import type { PublicInvoice } from '@callout/contract/public-invoices';
import { getJson, postJson, readResponse } from '../../../lib/request.ts';

declare global {
  /** Response to the request that public/early-invoice.js sends before this code loads. */
  var earlyInvoice: Promise<Response> | undefined;
}

const buildInvoicePath = (token: string) => `/public/invoices/${encodeURIComponent(token)}`;

export async function readPublicInvoice(token: string): Promise<PublicInvoice> {
  const earlyResponse = globalThis.earlyInvoice;
  globalThis.earlyInvoice = undefined;
  return earlyResponse ? readResponse(await earlyResponse) : getJson(buildInvoicePath(token));
}

export function recordInvoiceOpened(token: string): Promise<unknown> {
  return postJson(`${buildInvoicePath(token)}/opened`, {});
}

export const buildPublicPdfUrl = (token: string) => `/api${buildInvoicePath(token)}/pdf`;
