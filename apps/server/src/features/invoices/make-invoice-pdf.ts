import { readAs } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { type AttachmentMaker, defineAttachment, makeAttachment } from '../../platform/mail/mail-attachment.ts';
import { definePdf } from '../../platform/pdf/pdf-renderer.ts';
import { tenantOfTask } from '../../platform/queue/task.ts';
import { readLogo } from '../company/read-logo.ts';
import type { InvoicePdfInput } from './invoice.pdf.ts';
import { type InvoiceView, readViewOfInvoice } from './invoice-view.ts';
import { pdfNameOf } from './printed-invoice.ts';

const invoicePdf = definePdf<InvoicePdfInput>(new URL('./invoice.pdf.ts', import.meta.url), 'renderInvoicePdf');

type PdfParts = Pick<Platform, 'pdf' | 'files'>;

export async function makeInvoicePdf(platform: PdfParts, companyId: string, view: InvoiceView): Promise<Uint8Array> {
  const logo = await readLogo(platform, companyId, view.logo_url);
  return platform.pdf.render(invoicePdf, companyId, { view, logo });
}

interface AttachedInvoice {
  readonly invoice_id: string;
  /** The payments that the mail's text counts, so that the PDF asks for the same when it is made later. */
  readonly payment_ids: readonly string[];
}

/** The PDF that goes with a mail. */
export const invoiceAttachment = defineAttachment<AttachedInvoice>('invoice-pdf');

export function invoicePdfMaker(platform: PdfParts & Pick<Platform, 'pools' | 'now'>): AttachmentMaker {
  return makeAttachment(invoiceAttachment, async (companyId, { invoice_id, payment_ids }) => {
    const tenant = tenantOfTask(invoiceAttachment.name, companyId, platform.now().toISOString());
    const view = await readAs(platform.pools.app, tenant, (scope) => readViewOfInvoice(scope, invoice_id, payment_ids));
    return { name: `${pdfNameOf(view)}.pdf`, type: 'application/pdf', bytes: await makeInvoicePdf(platform, companyId, view) };
  });
}
