import { INVOICE_DISPLAY_STATUSES, INVOICE_KINDS, INVOICE_STATES, PAYMENT_METHODS } from '@callout/domain/invoices/invoice';
import { DEBT_AGES, INVOICE_FILTERS, INVOICE_SORTS } from '@callout/domain/invoices/invoice-list';
import { z } from 'zod';
import { defineCall } from './call.ts';
import {
  Addressee,
  DocumentLine,
  DocumentMail,
  Issuer,
  mailNotFoundError,
  noCustomerEmailError,
  unconfirmedSenderError,
} from './documents.ts';
import { ERROR_STATUS, idTakenError, notFoundError } from './errors.ts';
import { Cursor, FilterDate, Id, Instant, OutputId, optionalText } from './fields.ts';
import { JobCustomer, JobStatus, jobNotFoundError } from './jobs.ts';
import { countInput, idInput, listInput, matchedField, pageSchema, RecordCount } from './lists.ts';

/** A calendar date in a response, without a time zone. */
const DateOnly = z.string().meta({ format: 'date' });

/** An invoice exactly as printed; see `buildInvoiceDocument` in the domain package. */
export const InvoiceDocument = z.object({
  job_number: z.string(),
  invoice_number: z.string().nullable(),
  issued: z.string().nullable(),
  title: z.string(),
  description: z.string().nullable(),
  due: z.string(),
  issuer: Issuer,
  /** Copies that were frozen before invoices had the customer's address don't have it. */
  customer: Addressee.extend({ address: z.string().nullable().default(null) }).nullable(),
  items: z.array(DocumentLine),
  subtotal: z.string(),
  tax_label: z.string(),
  tax: z.string(),
  amount: z.string(),
  fee: z.string().nullable(),
  total: z.string(),
  currency: z.string().nullable(),
  reference: z.string(),
  exact: z.object({ subtotal: z.string(), tax: z.string(), amount: z.string(), fee: z.string(), total: z.string() }),
});

/** The payment requested from the customer now, as decimal strings; see `calculatePaymentRequest` in the domain package. */
export const PaymentRequest = z.object({
  /** 'deposit_paid' means that nothing is requested until the work is done or an invoice is sent. */
  what: z.enum(['deposit', 'deposit_paid', 'balance']),
  outstanding: z.string(),
  overpaid: z.string(),
  /** `amount` excludes the online payment fee; `total` is `amount` plus `fee`. */
  amount: z.string(),
  fee: z.string(),
  total: z.string(),
});

export const InvoiceState = z.enum(INVOICE_STATES);
export const InvoiceDisplayStatus = z.enum(INVOICE_DISPLAY_STATUSES, 'Please choose a status');
export const DebtAge = z.enum(DEBT_AGES.map(({ key }) => key));

const RelatedDocument = z.object({ id: OutputId, invoice_number: z.string() });

/** An issued invoice or credit note. Its printed content never changes. */
export const Invoice = z.object({
  id: OutputId,
  kind: z.enum(INVOICE_KINDS),
  invoice_number: z.string(),
  job_id: OutputId,
  job_number: z.string(),
  title: z.string(),
  customer_id: OutputId.nullable(),
  /** The customer's name when the invoice was issued, even if the customer has been renamed or deleted since. */
  customer_name: z.string(),
  issued_on: DateOnly,
  /** Null for 'Due Immediately'. */
  due_on: DateOnly.nullable(),
  /** Last day on which it isn't late: the payment terms start on the day it was sent. */
  late_after: DateOnly,
  state: InvoiceState,
  /** Always 'paid' for a credit note. 'unsent' for an unpaid invoice that its customer doesn't have yet. */
  shown_status: InvoiceDisplayStatus,
  days_late: z.int(),
  subtotal: z.string(),
  tax_amount: z.string(),
  /** Excludes the online payment fee. */
  total_amount: z.string(),
  paid_amount: z.string(),
  balance: z.string(),
  currency: z.string().nullable(),
  /** When the invoice was emailed or handed over; null if its customer doesn't have it yet, and for credit notes. */
  sent_at: Instant.nullable(),
  /** The person who handed the invoice over; null if nobody did. */
  handed_over_by: z.string().nullable(),
  /** The invoice that this document corrects or credits. */
  replaces: RelatedDocument.nullable(),
  /** The credit note that cancels this invoice, and the invoice that corrects it. A corrected invoice has both, unless it is very old. */
  credited_by: RelatedDocument.nullable(),
  replaced_by: RelatedDocument.nullable(),
  /** Whether the stored copy still matches its hash. */
  is_intact: z.boolean(),
  created_at: Instant,
});
export type Invoice = z.infer<typeof Invoice>;

export const Payment = z.object({
  id: OutputId,
  /** What counts toward the debt. Negative for a reversal. */
  amount: z.string(),
  /** The online fee that was paid on top of `amount`; '0.00' if none, negative for a reversal. */
  fee: z.string(),
  paid_on: DateOnly,
  method: z.enum(PAYMENT_METHODS),
  note: z.string().nullable(),
  recorded_by: z.string(),
  recorded_at: Instant,
  /** The payment that this row reverses; null for an ordinary payment. */
  reverses: OutputId.nullable(),
  is_reversed: z.boolean(),
});
export type Payment = z.infer<typeof Payment>;

export const InvoiceMail = DocumentMail.extend({ kind: z.enum(['invoice', 'reminder']), invoice_number: z.string() });
export type InvoiceMail = z.infer<typeof InvoiceMail>;

/** Everything that a job's payment page shows. */
export const Billing = z.object({
  job: z.object({
    id: OutputId,
    job_number: z.string(),
    title: z.string(),
    status: JobStatus,
    customer: JobCustomer.nullable(),
  }),
  /** What the customer sees: the open invoice or, if there is none, the current job. The online fee is dropped after the first payment. */
  document: InvoiceDocument,
  /** The open invoice; null if none was sent, or if it was canceled. */
  invoice: Invoice.nullable(),
  /** Whether the job has changed since the open invoice was sent. */
  differs: z.boolean(),
  /** The job's invoice as it would look if issued now; equals `document` unless `differs` is true. */
  current: InvoiceDocument,
  /** Hash of `current`, including its fee. Sending passes the hash back, so that people can't send a total they haven't seen. */
  content_hash: z.string(),
  /** All invoices and credit notes of the job, newest first. */
  invoices: z.array(Invoice),
  /** Newest first. */
  payments: z.array(Payment),
  mails: z.array(InvoiceMail),
  paid_amount: z.string(),
  deposit_amount: z.string().nullable(),
  request: PaymentRequest,
  /** URL of a PayPal page that requests the amount plus fee; null if the company has no PayPal account or nothing is due. */
  payment_link: z.string().nullable(),
  /** Path of the public page: '/invoice/{token}'. */
  public_path: z.string(),
  first_opened_at: Instant.nullable(),
  last_opened_at: Instant.nullable(),
  /** Today in the company's time zone: the default date in the payment form. */
  today: DateOnly,
  /** Payments dated before this day are refused. */
  earliest_payment_on: DateOnly,
});
export type Billing = z.infer<typeof Billing>;

export const InvoiceRow = Invoice.omit({ replaces: true, is_intact: true }).extend({
  job_status: JobStatus,
  /** Whether the latest email with this invoice failed. */
  is_mail_failed: z.boolean(),
  matched: matchedField('customer'),
});
export type InvoiceRow = z.infer<typeof InvoiceRow>;

/** `from` and `to` filter by issue date; both are inclusive. */
const invoiceFilters = {
  filter: z.enum(INVOICE_FILTERS).optional(),
  age: DebtAge.optional(),
  from: FilterDate.optional(),
  to: FilterDate.optional(),
  customer_id: Id.optional(),
};
export const InvoiceFilters = z.object(invoiceFilters);

export const InvoiceSort = z.enum(INVOICE_SORTS);

export const InvoiceListInput = listInput(invoiceFilters, InvoiceSort.default('late_after'), 'asc');

const InvoiceSum = z.object({ count: z.int(), amount: z.string() });

/** Totals of the invoices and credit notes that match the list's filter and search. The CSV's columns add up to the same amounts. */
export const InvoiceSummary = z.object({
  /**
   * The documents issued: canceled invoices count on their day, and credit notes are subtracted on theirs, so that the totals of a past period
   * never change.
   */
  total: z.object({ invoices: z.int(), credit_notes: z.int(), amount: z.string(), tax_amount: z.string() }),
  /** The amount paid so far on invoices that aren't canceled. */
  paid: z.string(),
  /** The part of `paid` that exceeds the invoices' totals. */
  overpaid: z.string(),
  /** `unsent` counts the unpaid invoices that their customers don't have yet. */
  outstanding: InvoiceSum.extend({ unsent: z.int() }),
  /** Outstanding amounts, grouped by how late they are. */
  ages: z.array(InvoiceSum.extend({ age: DebtAge })),
  /** Number of invoices that each filter matches, regardless of the selected filter. Null if there are more than `MAX_SUMMED_ROWS`. */
  filters: z.object({ all: z.int().nullable(), unpaid: z.int(), overdue: z.int(), paid: z.int().nullable(), unsent: z.int() }),
  /** True if more than `MAX_SUMMED_ROWS` documents match a search or a customer. `total`, `paid` and `overpaid` are then incomplete. */
  is_capped: z.boolean(),
});
export type InvoiceSummary = z.infer<typeof InvoiceSummary>;

/** A customer who owes money, with the amounts grouped by how late they are. */
export const Debtor = z.object({
  /** Id of the customer or, after its deletion, of the name on its invoices. */
  id: OutputId,
  customer_id: OutputId.nullable(),
  customer_name: z.string(),
  invoices: z.int(),
  /** How many of the invoices the customer doesn't have yet. */
  unsent: z.int(),
  current: z.string(),
  days_30: z.string(),
  days_60: z.string(),
  days_90: z.string(),
  older: z.string(),
  total: z.string(),
});
export type Debtor = z.infer<typeof Debtor>;

/** `total` is of all customers who owe something, on whichever page. */
const DebtorList = pageSchema(Debtor).extend({
  total: Debtor.omit({ id: true, customer_id: true, customer_name: true }).extend({ customers: z.int() }),
});
export type DebtorList = z.infer<typeof DebtorList>;

export const invoiceNotFoundError = notFoundError('Invoice not found');
export const invoiceChangedError = {
  INVOICE_CHANGED: { status: ERROR_STATUS.INVOICE_CHANGED, message: 'The job has changed. Please check the invoice before you send it.' },
} as const;
export const invoiceClosedError = {
  INVOICE_CLOSED: { status: ERROR_STATUS.INVOICE_CLOSED, message: 'This invoice has already been replaced or canceled.' },
} as const;
export const nothingToBillError = {
  NOTHING_TO_BILL: { status: ERROR_STATUS.NOTHING_TO_BILL, message: 'There is nothing to invoice: add items or a fixed amount first.' },
} as const;
export const unconfirmedInvoiceSenderError = unconfirmedSenderError('invoices');

const invoiceTags = { tags: ['invoices'] };
const sendInvoiceErrors = {
  ...jobNotFoundError,
  ...noCustomerEmailError,
  ...invoiceChangedError,
  ...nothingToBillError,
  ...unconfirmedInvoiceSenderError,
  ...idTakenError,
};
const SendInvoiceResult = z.object({ billing: Billing, mail: z.enum(['queued', 'kept']).nullable() });

export const invoices = {
  billing: defineCall('payments.manage')
    .route({ method: 'GET', path: '/jobs/{id}/billing', summary: 'Get what was billed and paid for a job', ...invoiceTags })
    .input(idInput)
    .output(Billing)
    .errors(jobNotFoundError),

  /**
   * Sends the open invoice again if the job hasn't changed. Otherwise, cancels the open one with a credit note and issues a new invoice. A
   * complete job becomes invoiced, unless this server can't send email. `by_hand` issues the invoice without emailing it, for people who
   * print it or send it themselves; with `handed_over` false, it stays unsent until `handOver`. Idempotent: a retry with the same `mail_id`
   * sends no second email.
   */
  send: defineCall('payments.manage')
    .route({ method: 'POST', path: '/jobs/{id}/invoices', summary: "Send a job's invoice, or issue it by hand", ...invoiceTags })
    .input(
      idInput.extend({
        mail_id: Id,
        content_hash: z.string().max(100).optional(),
        by_hand: z.boolean().default(false),
        handed_over: z.boolean().default(true),
      }),
    )
    .output(SendInvoiceResult)
    .errors(sendInvoiceErrors),

  handOver: defineCall('payments.manage')
    .route({ method: 'POST', path: '/invoices/{id}/hand-over', summary: 'Record that the customer was given an invoice', ...invoiceTags })
    .input(idInput)
    .output(Billing)
    .errors({ ...invoiceNotFoundError, ...invoiceClosedError }),

  /** For a hand-over that was recorded by mistake. The invoice stays sent if it was also emailed. Idempotent. */
  undoHandOver: defineCall('payments.manage')
    .route({
      method: 'POST',
      path: '/invoices/{id}/undo-hand-over',
      summary: 'Undo that the customer was given an invoice',
      ...invoiceTags,
    })
    .input(idInput)
    .output(Billing)
    .errors({ ...invoiceNotFoundError, ...invoiceClosedError }),

  retryMail: defineCall('payments.manage')
    .route({ method: 'POST', path: '/invoice-mails/{id}/retry', summary: 'Retry a failed email', ...invoiceTags })
    .input(idInput)
    .output(SendInvoiceResult)
    .errors({ ...mailNotFoundError, ...invoiceClosedError, ...noCustomerEmailError, ...unconfirmedInvoiceSenderError }),

  /** `cancel_job` also cancels the job, which is refused while its invoice is open. */
  credit: defineCall('payments.manage')
    .route({ method: 'POST', path: '/invoices/{id}/credit', summary: 'Cancel an invoice with a credit note', ...invoiceTags })
    .input(idInput.extend({ credit_id: Id, reason: optionalText('Reason', 200), cancel_job: z.boolean().default(false) }))
    .output(Billing)
    .errors({ ...invoiceNotFoundError, ...invoiceClosedError, ...idTakenError }),

  list: defineCall('payments.manage')
    .route({ method: 'GET', path: '/invoices', summary: 'List invoices, oldest unpaid first', ...invoiceTags })
    .input(InvoiceListInput)
    .output(pageSchema(InvoiceRow)),

  count: defineCall('payments.manage')
    .route({ method: 'GET', path: '/invoices/count', summary: 'Count the invoices that match a filter', ...invoiceTags })
    .input(countInput(invoiceFilters))
    .output(RecordCount),

  summary: defineCall('payments.manage')
    .route({ method: 'GET', path: '/invoices/summary', summary: 'Get the totals of the invoices that match a filter', ...invoiceTags })
    .input(countInput(invoiceFilters))
    .output(InvoiceSummary),

  debtors: defineCall('payments.manage')
    .route({ method: 'GET', path: '/invoices/debtors', summary: 'List customers who owe money, largest debt first', ...invoiceTags })
    .input(z.object({ cursor: Cursor.optional() }))
    .output(DebtorList),
};
