import { invoiceNotFoundError } from '@callout/contract/invoices';
import { jobNotFoundError } from '@callout/contract/jobs';
import type { FastifyInstance } from 'fastify';
import { runTenantSnapshot } from '../../platform/db/tenant-scope.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { type AttachmentMaker, createAttachmentMaker } from '../../platform/mail/mail-attachment.ts';
import { definePdf } from '../../platform/pdf/pdf-renderer.ts';
import { mintTaskTenant } from '../../platform/queue/task.ts';
import { createPdfHandlers, type PrintableDocument, printDocument } from '../documents/print-document.ts';
import type { InvoicePdfInput } from './invoice.pdf.ts';
import { formatInvoiceFileName } from './invoice-format.ts';
import { PUBLIC_INVOICE_LINK, readPublicRenderableInvoice } from './read-public-invoice.ts';
import { type RenderableInvoice, readCurrentRenderableInvoice, readRenderableInvoice } from './renderable-invoice.ts';
import { invoiceAttachmentKind } from './send-invoice.ts';

const invoicePdf = definePdf<InvoicePdfInput>(new URL('./invoice.pdf.ts', import.meta.url), 'renderInvoicePdf');

const toPrintable = (view: RenderableInvoice): PrintableDocument<InvoicePdfInput> => ({
  content: { view },
  logoUrl: view.logo_url,
  fileName: formatInvoiceFileName(view),
});

/** Registers routes that serve invoices and credit notes as PDFs, to members who manage payments and to anyone with the public link. */
export function registerInvoicePdfRoutes(app: FastifyInstance, platform: Platform): void {
  const { forMembers, forLink } = createPdfHandlers(platform, invoicePdf, 'payments.manage');
  // Also serves invoices that have since been replaced or canceled.
  app.get(
    '/api/invoices/:id/pdf',
    forMembers(invoiceNotFoundError, async (scope, id) => toPrintable(await readRenderableInvoice(scope, id))),
  );
  // Serves a draft if the job no longer matches the invoice that was sent to the customer.
  app.get(
    '/api/jobs/:id/invoice.pdf',
    forMembers(jobNotFoundError, async (scope, id) => toPrintable(await readCurrentRenderableInvoice(scope, id))),
  );
  app.get(
    '/api/public/invoices/:token/pdf',
    forLink(PUBLIC_INVOICE_LINK, 'publicInvoices.pdf', async (scope, id) => toPrintable(await readPublicRenderableInvoice(scope, id))),
  );
}

/** Creates the PDF that is attached to an invoice's email. */
export function createInvoicePdfMaker(platform: Pick<Platform, 'pdfRenderer' | 'files' | 'pools' | 'now'>): AttachmentMaker {
  return createAttachmentMaker(invoiceAttachmentKind, async (companyId, { invoice_id, payment_ids }) => {
    const tenant = mintTaskTenant(invoiceAttachmentKind.name, companyId, platform.now().toISOString());
    const view = await runTenantSnapshot(platform.pools.app, tenant, (scope) => readRenderableInvoice(scope, invoice_id, payment_ids));
    const printable = toPrintable(view);
    const bytes = await printDocument(platform, tenant, invoicePdf, printable);
    return { name: `${printable.fileName}.pdf`, type: 'application/pdf', bytes };
  });
}
