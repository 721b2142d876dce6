import { invoiceNotFound } from '@callout/contract/invoices';
import { jobNotFound } from '@callout/contract/jobs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { readAs, type Tenant, type TenantScope } from '../../platform/db/tenant-scope.ts';
import { sendPdf } from '../../platform/http/pdf-reply.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { openRequestLink } from '../../platform/http/public-link.ts';
import { pathId, requireTenant } from '../../platform/http/request-actor.ts';
import { type InvoiceView, readCurrentView, readViewOfInvoice } from './invoice-view.ts';
import { makeInvoicePdf } from './make-invoice-pdf.ts';
import { pdfNameOf } from './printed-invoice.ts';
import { publicInvoice, readViewOfLink } from './read-public-invoice.ts';

/** Invoices and credit notes as PDF: for members who manage payments, and for whoever has an invoice's link. */
export function invoicePdfRoutes(app: FastifyInstance, platform: Platform): void {
  const answer = async (reply: FastifyReply, tenant: Tenant, read: (scope: TenantScope) => Promise<InvoiceView>) => {
    const view = await readAs(platform.pools.app, tenant, read);
    return sendPdf(reply, pdfNameOf(view), await makeInvoicePdf(platform, tenant.companyId, view));
  };

  // Anything that was sent, also what was replaced or canceled since.
  app.get('/api/invoices/:id/pdf', async (request, reply) => {
    const tenant = await requireTenant(request, platform, 'payments.manage');
    const id = pathId(request, invoiceNotFound.NOT_FOUND.message);
    return answer(reply, tenant, (scope) => readViewOfInvoice(scope, id));
  });

  // The job as it is billed now: also when the customer has an invoice that differs from it.
  app.get('/api/jobs/:id/invoice.pdf', async (request, reply) => {
    const tenant = await requireTenant(request, platform, 'payments.manage');
    const id = pathId(request, jobNotFound.NOT_FOUND.message);
    return answer(reply, tenant, (scope) => readCurrentView(scope, id));
  });

  app.get('/api/public/invoices/:token/pdf', async (request, reply) => {
    const { tenant, recordId } = await openRequestLink(request, platform, publicInvoice, 'publicInvoices.pdf');
    return answer(reply, tenant, (scope) => readViewOfLink(scope, recordId));
  });
}
