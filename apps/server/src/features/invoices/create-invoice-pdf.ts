import { runTenantSnapshot } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { type AttachmentMaker, createAttachmentMaker, defineAttachmentKind } from '../../platform/mail/mail-attachment.ts';
import { definePdf } from '../../platform/pdf/pdf-renderer.ts';
import { mintTaskTenant } from '../../platform/queue/task.ts';
import { readLogo } from '../company/read-logo.ts';
import type { InvoicePdfInput } from './invoice.pdf.ts';
import { formatInvoiceFileName } from './invoice-format.ts';
import { type RenderableInvoice, readRenderableInvoice } from './renderable-invoice.ts';

const invoicePdfDefinition = definePdf<InvoicePdfInput>(new URL('./invoice.pdf.ts', import.meta.url), 'renderInvoicePdf');

type PdfDependencies = Pick<Platform, 'pdfRenderer' | 'files'>;

export async function createInvoicePdf(platform: PdfDependencies, companyId: string, view: RenderableInvoice): Promise<Uint8Array> {
  const logo = await readLogo(platform, companyId, view.logo_url);
  return platform.pdfRenderer.render(invoicePdfDefinition, companyId, { view, logo });
}

interface InvoiceAttachmentPayload {
  readonly invoice_id: string;
  /** Ids of the payments that the email takes into account, so that a PDF rendered later shows the same amount due. */
  readonly payment_ids: readonly string[];
}

export const invoiceAttachmentKind = defineAttachmentKind<InvoiceAttachmentPayload>('invoice-pdf');

export function createInvoicePdfMaker(platform: PdfDependencies & Pick<Platform, 'pools' | 'now'>): AttachmentMaker {
  return createAttachmentMaker(invoiceAttachmentKind, async (companyId, { invoice_id, payment_ids }) => {
    const tenant = mintTaskTenant(invoiceAttachmentKind.name, companyId, platform.now().toISOString());
    const view = await runTenantSnapshot(platform.pools.app, tenant, (scope) => readRenderableInvoice(scope, invoice_id, payment_ids));
    return {
      name: `${formatInvoiceFileName(view)}.pdf`,
      type: 'application/pdf',
      bytes: await createInvoicePdf(platform, companyId, view),
    };
  });
}
