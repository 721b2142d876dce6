import type { PublicInvoice } from '@callout/contract/public-invoices';
import { getJson, postJson, readResponse } from '../../../lib/request.ts';

declare global {
  /** The invoice that public/early-invoice.js asked for before this code was loaded. */
  var earlyInvoice: Promise<Response> | undefined;
}

const pathOf = (token: string) => `/public/invoices/${encodeURIComponent(token)}`;

export async function readInvoice(token: string): Promise<PublicInvoice> {
  const early = globalThis.earlyInvoice;
  globalThis.earlyInvoice = undefined;
  return early ? readResponse(await early) : getJson(pathOf(token));
}

export function recordOpening(token: string): Promise<unknown> {
  return postJson(`${pathOf(token)}/opened`, {});
}

export const pdfUrl = (token: string) => `/api${pathOf(token)}/pdf`;
