import { INVOICE_KINDS, INVOICE_STATES, PAYMENT_METHODS, SHOWN_INVOICE_STATUSES } from '@callout/domain/invoices/invoice';
import { DEBT_AGES, INVOICE_FILTERS, INVOICE_SORTS } from '@callout/domain/invoices/invoice-list';
import { z } from 'zod';
import { call } from './call.ts';
import { errorStatus, idTaken, notFound } from './errors.ts';
import { Id, Instant, OutputId, optionalText } from './fields.ts';
import { CustomerOfJob, JobStatus, jobNotFound } from './jobs.ts';
import { byId, Count, countInput, listInput, pageOf, searchMatch } from './lists.ts';
import { Addressee, DocumentLine, Issuer } from './public-quotes.ts';
import { noCustomerEmail, QuoteMail } from './quotes.ts';

/** In answers: a day, the same in every time zone. */
const Day = z.string().meta({ format: 'date' });

/** Word for word what is printed: see `invoiceDocument` in domain. */
export const InvoiceDocument = z.object({
  job_number: z.string(),
  invoice_number: z.string().nullable(),
  issued: z.string().nullable(),
  title: z.string(),
  description: z.string().nullable(),
  due: z.string(),
  issuer: Issuer,
  customer: Addressee.nullable(),
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

/** What the customer is asked to pay now, as exact money: see `paymentRequest` in domain. */
export const PaymentRequest = z.object({
  /** 'deposit_paid': nothing is asked for until the work is done or an invoice is sent. */
  what: z.enum(['deposit', 'deposit_paid', 'balance']),
  outstanding: z.string(),
  overpaid: z.string(),
  /** Without the fee of an online payment, the fee, and both. */
  amount: z.string(),
  fee: z.string(),
  total: z.string(),
});

export const InvoiceState = z.enum(INVOICE_STATES);
export const ShownInvoiceStatus = z.enum(SHOWN_INVOICE_STATUSES, 'Please choose a status');
export const DebtAge = z.enum(DEBT_AGES.map(({ key }) => key));

/** Something that was sent, frozen; in the list of invoices and on the payment page. */
export const Invoice = z.object({
  id: OutputId,
  kind: z.enum(INVOICE_KINDS),
  invoice_number: z.string(),
  job_id: OutputId,
  job_number: z.string(),
  title: z.string(),
  customer_id: OutputId.nullable(),
  /** As it was billed, also when the customer was renamed or deleted. */
  customer_name: z.string(),
  issued_on: Day,
  /** Null for 'Due Immediately'. */
  due_on: Day.nullable(),
  late_after: Day,
  state: InvoiceState,
  /** Of an invoice; a credit note is 'paid'. */
  shown_status: ShownInvoiceStatus,
  days_late: z.int(),
  subtotal: z.string(),
  tax_amount: z.string(),
  /** Without the fee of an online payment. */
  total_amount: z.string(),
  paid_amount: z.string(),
  balance: z.string(),
  currency: z.string().nullable(),
  /** The invoice that this one replaces or credits, and the one that replaced or credited it. */
  replaces: z.object({ id: OutputId, invoice_number: z.string() }).nullable(),
  replaced_by: z.object({ id: OutputId, invoice_number: z.string(), kind: z.enum(INVOICE_KINDS) }).nullable(),
  /** Whether the copy still has the hash it was kept with. */
  is_intact: z.boolean(),
  created_at: Instant,
});
export type Invoice = z.infer<typeof Invoice>;

export const Payment = z.object({
  id: OutputId,
  /** Negative for a reversal. */
  amount: z.string(),
  paid_on: Day,
  method: z.enum(PAYMENT_METHODS),
  note: z.string().nullable(),
  recorded_by: z.string(),
  recorded_at: Instant,
  /** The payment that this row takes back. */
  reverses: OutputId.nullable(),
  is_reversed: z.boolean(),
});
export type Payment = z.infer<typeof Payment>;

/** A mail with the invoice, or a reminder of it. */
export const InvoiceMail = QuoteMail.extend({ kind: z.enum(['invoice', 'reminder']), invoice_number: z.string() });
export type InvoiceMail = z.infer<typeof InvoiceMail>;

/** All that the payment page of a job shows. */
export const Billing = z.object({
  job: z.object({
    id: OutputId,
    job_number: z.string(),
    title: z.string(),
    status: JobStatus,
    customer: CustomerOfJob.nullable(),
  }),
  /** What the customer sees: the open invoice as it was sent, else the job as it is now. Without the fee once something was paid. */
  document: InvoiceDocument,
  /** The open invoice; null when none was sent, or when it was canceled. */
  invoice: Invoice.nullable(),
  /** Whether the job was changed since: 'Differs from the invoice sent on …'. */
  differs: z.boolean(),
  /** The job as it would be billed now; the same as `document` unless it differs. */
  current: InvoiceDocument,
  /** Of `current` as it is kept, with its fee: sending names it, so that nobody sends another total than they saw. */
  content_hash: z.string(),
  /** Everything that was sent, newest first. */
  invoices: z.array(Invoice),
  /** Newest first. */
  payments: z.array(Payment),
  mails: z.array(InvoiceMail),
  paid_amount: z.string(),
  deposit_amount: z.string().nullable(),
  request: PaymentRequest,
  /** PayPal's page for the amount with the fee; null without a PayPal account, or when nothing is due. */
  payment_link: z.string().nullable(),
  /** The public page: '/invoice/{token}'. */
  public_path: z.string(),
  first_opened_at: Instant.nullable(),
  last_opened_at: Instant.nullable(),
  /** In the company's time zone, for the form of a payment. */
  today: Day,
});
export type Billing = z.infer<typeof Billing>;

export const InvoiceRow = Invoice.omit({ replaces: true, is_intact: true }).extend({
  job_status: JobStatus,
  /** Whether the newest mail with it failed. */
  is_mail_failed: z.boolean(),
  matched: searchMatch('customer'),
});
export type InvoiceRow = z.infer<typeof InvoiceRow>;

const NO_DAY = 'Please enter a date';
const FilterDay = z.iso.date(NO_DAY).refine((date) => date >= '2000-01-01' && date < '2200-01-01', NO_DAY);

/** `from` and `to` are days of issue, both included. */
const invoiceFilters = {
  filter: z.enum(INVOICE_FILTERS).optional(),
  age: DebtAge.optional(),
  from: FilterDay.optional(),
  to: FilterDay.optional(),
  customer_id: Id.optional(),
};
export const InvoiceFilters = z.object(invoiceFilters);

export const InvoiceSort = z.enum(INVOICE_SORTS);

export const InvoiceListInput = listInput(invoiceFilters, InvoiceSort.default('late_after'), 'asc');

const Sum = z.object({ count: z.int(), amount: z.string() });

/** Of what the filter and the search match; the same rows as the list. */
export const InvoiceSummary = z.object({
  /** Invoices without those that were replaced or canceled. */
  total: Sum,
  paid: z.string(),
  /** What is still to be paid. */
  outstanding: Sum,
  /** The same by age. */
  ages: z.array(Sum.extend({ age: DebtAge })),
  /** How many each filter matches, whatever the chosen one. */
  filters: z.object({ all: z.int(), unpaid: z.int(), overdue: z.int(), paid: z.int() }),
});
export type InvoiceSummary = z.infer<typeof InvoiceSummary>;

/** What a customer owes, by age. */
export const Debtor = z.object({
  customer_id: OutputId.nullable(),
  customer_name: z.string(),
  invoices: z.int(),
  current: z.string(),
  days_30: z.string(),
  days_60: z.string(),
  days_90: z.string(),
  older: z.string(),
  total: z.string(),
});
export type Debtor = z.infer<typeof Debtor>;

export const invoiceNotFound = notFound('Invoice not found');
export const invoiceMailNotFound = notFound('Mail not found');
export const invoiceChanged = {
  INVOICE_CHANGED: { status: errorStatus.INVOICE_CHANGED, message: 'The job was changed. Please check the invoice before you send it.' },
} as const;
export const invoiceClosed = {
  INVOICE_CLOSED: { status: errorStatus.INVOICE_CLOSED, message: 'This invoice was replaced or canceled already.' },
} as const;
export const nothingToBill = {
  NOTHING_TO_BILL: { status: errorStatus.NOTHING_TO_BILL, message: 'There is nothing to invoice: add items or a fixed amount first.' },
} as const;
export const invoiceSenderUnconfirmed = {
  EMAIL_UNCONFIRMED: { status: errorStatus.EMAIL_UNCONFIRMED, message: 'Please confirm your email address before you send invoices.' },
} as const;

const invoiceTags = { tags: ['invoices'] };
const sendErrors = {
  ...jobNotFound,
  ...noCustomerEmail,
  ...invoiceChanged,
  ...nothingToBill,
  ...invoiceSenderUnconfirmed,
  ...idTaken,
};
const SentInvoice = z.object({ billing: Billing, mail: z.enum(['queued', 'kept']).nullable() });

export const invoices = {
  billing: call('payments.manage')
    .route({ method: 'GET', path: '/jobs/{id}/billing', summary: 'What was billed and paid for a job', ...invoiceTags })
    .input(byId)
    .output(Billing)
    .errors(jobNotFound),

  /**
   * The open invoice again while the job is as it was billed; else a new one, which replaces it. A complete job becomes invoiced once the
   * mail is on its way. `by_hand` only issues it, for who prints it or uses their own mail program. The same mail_id again is the same mail.
   */
  send: call('payments.manage')
    .route({ method: 'POST', path: '/jobs/{id}/invoices', summary: 'Send the invoice of a job, or issue it by hand', ...invoiceTags })
    .input(byId.extend({ mail_id: Id, content_hash: z.string().max(100).optional(), by_hand: z.boolean().default(false) }))
    .output(SentInvoice)
    .errors(sendErrors),

  retryMail: call('payments.manage')
    .route({ method: 'POST', path: '/invoice-mails/{id}/retry', summary: 'Send a mail that failed again', ...invoiceTags })
    .input(byId)
    .output(SentInvoice)
    .errors({ ...invoiceMailNotFound, ...invoiceClosed, ...noCustomerEmail, ...invoiceSenderUnconfirmed }),

  credit: call('payments.manage')
    .route({ method: 'POST', path: '/invoices/{id}/credit', summary: 'Cancel an invoice with a credit note', ...invoiceTags })
    .input(byId.extend({ credit_id: Id, reason: optionalText('Reason', 200) }))
    .output(Billing)
    .errors({ ...invoiceNotFound, ...invoiceClosed, ...idTaken }),

  list: call('payments.manage')
    .route({ method: 'GET', path: '/invoices', summary: 'A page of invoices, oldest unpaid first', ...invoiceTags })
    .input(InvoiceListInput)
    .output(pageOf(InvoiceRow)),

  count: call('payments.manage')
    .route({ method: 'GET', path: '/invoices/count', summary: 'How many invoices match the filter', ...invoiceTags })
    .input(countInput(invoiceFilters))
    .output(Count),

  summary: call('payments.manage')
    .route({ method: 'GET', path: '/invoices/summary', summary: 'The sums of the invoices that match the filter', ...invoiceTags })
    .input(countInput(invoiceFilters))
    .output(InvoiceSummary),

  debtors: call('payments.manage')
    .route({ method: 'GET', path: '/invoices/debtors', summary: 'Who owes us, by age of debt, the largest first', ...invoiceTags })
    .input(z.object({}))
    .output(z.object({ rows: z.array(Debtor), total: Debtor.omit({ customer_id: true, customer_name: true }) })),
};
