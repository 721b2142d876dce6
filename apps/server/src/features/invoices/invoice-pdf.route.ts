import { invoiceNotFoundError } from '@callout/contract/invoices';
import { jobNotFoundError } from '@callout/contract/jobs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { runTenantSnapshot, type Tenant, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { sendPdf } from '../../platform/http/pdf-response.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { openLinkForRequest } from '../../platform/http/public-link.ts';
import { requirePathId, requireTenant } from '../../platform/http/request-session.ts';
import { createInvoicePdf } from './create-invoice-pdf.ts';
import { formatInvoiceFileName } from './invoice-format.ts';
import { PUBLIC_INVOICE_LINK, readPublicRenderableInvoice } from './read-public-invoice.ts';
import { type RenderableInvoice, readCurrentRenderableInvoice, readRenderableInvoice } from './renderable-invoice.ts';

/** Registers routes that serve invoices and credit notes as PDFs, to members who manage payments and to anyone with the public link. */
export function registerInvoicePdfRoutes(app: FastifyInstance, platform: Platform): void {
  const sendInvoicePdf = async (reply: FastifyReply, tenant: Tenant, read: (scope: TenantScope) => Promise<RenderableInvoice>) => {
    const view = await runTenantSnapshot(platform.pools.app, tenant, read);
    return sendPdf(reply, formatInvoiceFileName(view), await createInvoicePdf(platform, tenant.companyId, view));
  };

  // Also serves invoices that have since been replaced or canceled.
  app.get('/api/invoices/:id/pdf', async (request, reply) => {
    const tenant = await requireTenant(request, platform, 'payments.manage');
    const id = requirePathId(request, invoiceNotFoundError.NOT_FOUND.message);
    return sendInvoicePdf(reply, tenant, (scope) => readRenderableInvoice(scope, id));
  });

  // Serves a draft if the job no longer matches the invoice that was sent to the customer.
  app.get('/api/jobs/:id/invoice.pdf', async (request, reply) => {
    const tenant = await requireTenant(request, platform, 'payments.manage');
    const id = requirePathId(request, jobNotFoundError.NOT_FOUND.message);
    return sendInvoicePdf(reply, tenant, (scope) => readCurrentRenderableInvoice(scope, id));
  });

  app.get('/api/public/invoices/:token/pdf', async (request, reply) => {
    const { tenant, recordId } = await openLinkForRequest(request, platform, PUBLIC_INVOICE_LINK, 'publicInvoices.pdf');
    return sendInvoicePdf(reply, tenant, (scope) => readPublicRenderableInvoice(scope, recordId));
  });
}
