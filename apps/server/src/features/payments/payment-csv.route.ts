import { PaymentFilters, type PaymentRow } from '@callout/contract/payments';
import { PAYMENT_METHOD_LABELS } from '@callout/domain/invoices/invoice';
import { formatSpreadsheetTime } from '@callout/domain/time/date-format';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import type { FastifyInstance } from 'fastify';
import { listRecords } from '../../platform/db/keyset-list.ts';
import { registerCsvExport } from '../../platform/http/csv-export.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { readTimezone } from '../company/company.sql.ts';
import { paymentList, withSearchedAmount } from './payment-list.sql.ts';

/** Registers a CSV export of the payments that match the list's filters, oldest first. */
export function registerPaymentCsvRoute(app: FastifyInstance, platform: Platform): void {
  registerCsvExport(app, platform, {
    path: '/api/payments.csv',
    needs: 'payments.manage',
    input: PaymentFilters,
    async prepare(scope, filters) {
      const zone = await readTimezone(scope);
      const query = withSearchedAmount(filters);
      return {
        fileName: `payments-${toLocalDate(scope.now, zone)}.csv`,
        async readPage(page) {
          const { rows, next_cursor } = await listRecords(scope, paymentList, { ...query, ...page, sort: 'paid_on', order: 'asc' });
          const exported = rows.map((row) => ({ ...row, recorded_at: formatSpreadsheetTime(row.recorded_at, zone) }));
          return { rows: exported, next_cursor };
        },
      };
    },
    columns: COLUMNS,
  });
}

interface ExportedPayment extends Omit<PaymentRow, 'matched' | 'is_invoice_canceled'> {
  readonly currency: string | null;
}

const COLUMNS: Readonly<Record<string, (payment: ExportedPayment) => string>> = {
  Date: ({ paid_on }) => paid_on,
  Kind: ({ reverses }) => (reverses === null ? 'Payment' : 'Reversal'),
  Method: ({ method }) => PAYMENT_METHOD_LABELS[method],
  Amount: ({ amount }) => amount,
  'PayPal Fee': ({ fee }) => fee,
  Customer: ({ customer_name }) => customer_name ?? '',
  Job: ({ job_number }) => job_number,
  Title: ({ job_title }) => job_title,
  // Without a note that it was canceled since: an export of a closed month never changes.
  Invoice: ({ invoice_number }) => invoice_number ?? '',
  Note: ({ note }) => note ?? '',
  'Recorded by': ({ recorded_by }) => recorded_by,
  'Recorded at': ({ recorded_at }) => recorded_at,
  Currency: ({ currency }) => currency ?? '',
};
