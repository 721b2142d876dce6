import { PaymentFilters, type PaymentRow } from '@callout/contract/payments';
import { formatPaidInvoice, PAYMENT_METHOD_LABELS } from '@callout/domain/invoices/invoice';
import type { FastifyInstance } from 'fastify';
import { listRecords } from '../../platform/db/keyset-list.ts';
import { registerCsvExport } from '../../platform/http/csv-export.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { readCompanyToday } from '../invoices/list-invoices.ts';
import { paymentList } from './payment-list.sql.ts';

/** Registers a CSV export of the payments that match the list's filters, oldest first. */
export function registerPaymentCsvRoute(app: FastifyInstance, platform: Platform): void {
  registerCsvExport(app, platform, {
    path: '/api/payments.csv',
    needs: 'payments.manage',
    input: PaymentFilters,
    prepare: async (scope, filters) => ({
      fileName: `payments-${await readCompanyToday(scope)}.csv`,
      readPage: (page) => listRecords(scope, paymentList, { ...filters, ...page, sort: 'paid_on', order: 'asc' }),
    }),
    columns: COLUMNS,
  });
}

const COLUMNS: Readonly<Record<string, (payment: Omit<PaymentRow, 'matched'>) => string>> = {
  Date: ({ paid_on }) => paid_on,
  Kind: ({ reverses }) => (reverses === null ? 'Payment' : 'Reversal'),
  Method: ({ method }) => PAYMENT_METHOD_LABELS[method],
  Amount: ({ amount }) => amount,
  'PayPal Fee': ({ fee }) => fee,
  Customer: ({ customer_name }) => customer_name ?? '',
  Job: ({ job_number }) => job_number,
  Title: ({ job_title }) => job_title,
  Invoice: formatPaidInvoice,
  Note: ({ note }) => note ?? '',
  'Recorded by': ({ recorded_by }) => recorded_by,
  'Recorded at': ({ recorded_at }) => recorded_at,
};
