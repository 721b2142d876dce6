import encodeQR from 'qr';
import {
  BODY,
  HEADING,
  LEFT,
  RIGHT,
  SMALL,
  STRONG,
  SUBJECT,
  TITLE,
  writeLine,
  writeLineColumns,
  writeParties,
  writeRows,
} from '../../platform/pdf/document-parts.ts';
import { createPdfWriter, type PdfWriter, TEXT_WIDTH, type TextStyle } from '../../platform/pdf/pdf-writer.ts';
import type { InvoiceView } from './invoice-view.ts';
import {
  bankRows,
  invoiceHeading,
  invoiceMark,
  paymentRows,
  pdfTitleOf,
  printedDocument,
  REFERENCE_ADVICE,
  totalRows,
} from './printed-invoice.ts';

export interface InvoicePdfInput {
  readonly view: InvoiceView;
  /** PNG. */
  readonly logo: Uint8Array | null;
}

/** The invoice or credit note on A4, with the words and figures of its page. */
export function renderInvoicePdf({ view, logo }: InvoicePdfInput): Promise<Uint8Array> {
  const document = printedDocument(view);
  const company = document.issuer.company_name ?? '';
  const name = pdfTitleOf(view);
  const pdf = createPdfWriter({ title: name, author: company });
  writeHead(pdf, view, logo);
  writeMark(pdf, view);
  if (document.items.length > 0) writeLineColumns(pdf);
  for (const item of document.items) writeLine(pdf, item);
  pdf.y += 4;
  writeRows(pdf, totalRows(view));
  pdf.y += 8;
  writeRows(pdf, paymentRows(view));
  writePayment(pdf, view);
  const foot = [name, ...(view.kind === 'invoice' ? [document.invoice_number] : []), company].filter(Boolean).join(' · ');
  return pdf.finish(foot);
}

function writeHead(pdf: PdfWriter, view: InvoiceView, logo: Uint8Array | null): void {
  const { kind, document, gst_number } = view;
  const { issuer, customer, job_number, invoice_number, issued, due, title, description } = document;
  const top = pdf.y;
  const logoHeight = logo ? pdf.image(logo, LEFT, [180, 56]) : 0;
  const isInvoice = kind === 'invoice';
  const facts: [string | null, TextStyle][] = [
    [invoiceHeading(view), isInvoice ? TITLE : SUBJECT],
    [`Invoice #${job_number}`, STRONG],
    [isInvoice ? invoice_number : null, SMALL],
    [view.replaces && `Replaces ${view.replaces}`, SMALL],
    [issued && `Issued ${issued}`, SMALL],
    [isInvoice && view.request.what !== 'deposit_paid' ? due : null, SMALL],
    [gst_number && `GST number ${gst_number}`, SMALL],
  ];
  for (const [text, style] of facts) {
    if (!text) continue;
    pdf.line(text, RIGHT, style, 'right');
    pdf.y += pdf.lineHeight(style);
  }
  pdf.y = Math.max(pdf.y, top + logoHeight) + 16;
  const from = [issuer.company_name || 'Company', issuer.address, issuer.phone, issuer.email];
  const to = [customer?.company_name || customer?.name || 'Customer', customer?.company_name ? customer.name : null];
  writeParties(pdf, from, to, { from: 'Bill From', to: 'Bill To' });
  pdf.rule();
  pdf.y += 14;
  pdf.lines(pdf.wrap(title, TEXT_WIDTH, SUBJECT), LEFT, SUBJECT);
  if (description) pdf.lines(pdf.wrap(description, TEXT_WIDTH, BODY), LEFT, BODY);
  pdf.y += 12;
}

const [GREEN, RED] = ['#0f766e', '#b91c1c'];

function writeMark(pdf: PdfWriter, view: InvoiceView): void {
  const mark = invoiceMark(view);
  const reason = view.reason && `Reason: ${view.reason}`;
  const warning = view.is_intact ? null : 'This copy does not match the fingerprint it was saved with.';
  const marks: [string | null, TextStyle][] = [
    [mark, { ...HEADING, color: mark === 'Paid' ? GREEN : RED }],
    [reason, BODY],
    [warning, { ...STRONG, color: RED }],
  ];
  for (const [text, style] of marks) if (text) pdf.lines(pdf.wrap(text, TEXT_WIDTH, style), LEFT, style);
  if (marks.some(([text]) => text)) pdf.y += 10;
}

/** In points; with its margin. */
const CODE_SIZE = 150;

/** How to pay what is asked for: by bank transfer with the reference, or online. Nothing for what is paid or canceled. */
function writePayment(pdf: PdfWriter, view: InvoiceView): void {
  const [bank, link] = [bankRows(view), view.payment_link];
  if (bank.length === 0 && !link) return;
  pdf.y += 16;
  pdf.ensure(CODE_SIZE + 100);
  pdf.rule('#9ca3af');
  pdf.y += 12;
  pdf.line('How to pay', LEFT, HEADING);
  pdf.y += pdf.lineHeight(HEADING) + 4;
  if (bank.length > 0) writeBank(pdf, bank);
  if (link) writeLink(pdf, link);
}

function writeBank(pdf: PdfWriter, rows: readonly { label: string; amount: string }[]): void {
  pdf.line('Bank transfer', LEFT, STRONG);
  pdf.y += pdf.lineHeight(STRONG);
  for (const { label, amount } of rows) {
    pdf.line(label, LEFT, SMALL);
    pdf.lines(pdf.wrap(amount, TEXT_WIDTH - BANK_INDENT, BODY), LEFT + BANK_INDENT, BODY);
  }
  pdf.line(REFERENCE_ADVICE, LEFT, SMALL);
  pdf.y += pdf.lineHeight(SMALL) + 10;
}

const BANK_INDENT = 110;

function writeLink(pdf: PdfWriter, link: string): void {
  const code = codeOf(link);
  pdf.ensure(CODE_SIZE + pdf.lineHeight(STRONG));
  pdf.line('Online with PayPal', LEFT, STRONG);
  pdf.y += pdf.lineHeight(STRONG);
  const top = pdf.y;
  if (code) pdf.modules(code, LEFT, CODE_SIZE);
  const x = code ? LEFT + CODE_SIZE + 12 : LEFT;
  if (code) {
    pdf.line('Scan this code, or open this page:', x, BODY);
    pdf.y += pdf.lineHeight(BODY);
  }
  const style = { ...SMALL, color: GREEN };
  pdf.link(pdf.wrap(link, RIGHT - x, style), link, x, style);
  pdf.y = Math.max(pdf.y, code ? top + CODE_SIZE : top);
}

/** Dark modules with a white margin of four. Null when the link is too long for a code: it is printed anyway. */
export function codeOf(link: string): boolean[][] | null {
  try {
    return encodeQR(link, 'raw', { ecc: 'high', border: 4 });
  } catch {
    return null;
  }
}
