import { formatReplacedInvoice } from '@callout/domain/invoices/invoice';
import { formatMoney } from '@callout/domain/money/money-format';
import encodeQR from 'qr';
import {
  BODY_STYLE,
  HEADING_STYLE,
  LEFT_X,
  RIGHT_X,
  SMALL_STYLE,
  STRONG_STYLE,
  SUBJECT_STYLE,
  TITLE_STYLE,
  writeAmounts,
  writeHeader,
  writeLineItem,
  writeLineTableHeader,
} from '../../platform/pdf/document-parts.ts';
import { createPdfWriter, type PdfWriter, TEXT_WIDTH, type TextStyle } from '../../platform/pdf/pdf-writer.ts';
import { ALTERED_COPY_WARNING } from '../documents/freeze-document.ts';
import {
  buildBankRows,
  buildPaymentRows,
  buildTotalRows,
  formatInvoiceHeading,
  formatInvoicePdfTitle,
  formatInvoiceStatus,
  PAYMENT_REFERENCE_NOTE,
  toPrintedDocument,
} from './invoice-format.ts';
import type { RenderableInvoice } from './renderable-invoice.ts';

export interface InvoicePdfInput {
  readonly view: RenderableInvoice;
  /** The logo as PNG bytes. */
  readonly logo: Uint8Array | null;
}

/** Renders an invoice or credit note as an A4 PDF with the same labels and amounts as the web page. */
export function renderInvoicePdf({ view, logo }: InvoicePdfInput): Promise<Uint8Array> {
  const document = toPrintedDocument(view);
  const company = document.issuer.company_name ?? '';
  const name = formatInvoicePdfTitle(view);
  const pdf = createPdfWriter({ title: name, author: company });
  writeInvoiceHeader(pdf, view, logo);
  writeStatus(pdf, view);
  if (document.items.length > 0) writeLineTableHeader(pdf);
  for (const item of document.items) writeLineItem(pdf, item);
  pdf.y += 4;
  writeAmounts(pdf, buildTotalRows(view));
  pdf.y += 8;
  writeAmounts(pdf, buildPaymentRows(view));
  writePaymentInstructions(pdf, view);
  const footer = [name, ...(view.kind === 'invoice' ? [document.invoice_number] : []), company].filter(Boolean).join(' · ');
  return pdf.finish(footer);
}

function writeInvoiceHeader(pdf: PdfWriter, view: RenderableInvoice, logo: Uint8Array | null): void {
  const { kind, document, gst_number } = view;
  const { issuer, customer, job_number, invoice_number, issued, due, title, description } = document;
  const isInvoice = kind === 'invoice';
  writeHeader(pdf, {
    logo,
    facts: [
      [formatInvoiceHeading(view), isInvoice ? TITLE_STYLE : SUBJECT_STYLE],
      [`Invoice #${job_number}`, STRONG_STYLE],
      [isInvoice ? invoice_number : null, SMALL_STYLE],
      [view.replaces && `Replaces ${formatReplacedInvoice(view.replaces)}`, SMALL_STYLE],
      [issued && `Issued ${issued}`, SMALL_STYLE],
      [isInvoice && view.request.what !== 'deposit_paid' ? due : null, SMALL_STYLE],
      [gst_number && `GST number ${gst_number}`, SMALL_STYLE],
    ],
    from: [issuer.company_name || 'Company', issuer.address, issuer.phone, issuer.email],
    to: [customer?.company_name || customer?.name || 'Customer', customer?.company_name ? customer.name : null, customer?.address ?? null],
    partyLabels: { from: 'Bill From', to: 'Bill To' },
    title,
    description,
  });
}

const [GREEN, RED] = ['#0f766e', '#b91c1c'];

function writeStatus(pdf: PdfWriter, view: RenderableInvoice): void {
  const status = formatInvoiceStatus(view);
  const reason = view.reason && `Reason: ${view.reason}`;
  const warning = view.is_intact ? null : ALTERED_COPY_WARNING;
  const notices: [string | null, TextStyle][] = [
    [status, { ...HEADING_STYLE, color: status === 'Paid' ? GREEN : RED }],
    [reason, BODY_STYLE],
    [warning, { ...STRONG_STYLE, color: RED }],
  ];
  for (const [text, style] of notices) if (text) pdf.writeLines(pdf.wrapText(text, TEXT_WIDTH, style), LEFT_X, style);
  if (notices.some(([text]) => text)) pdf.y += 10;
}

/** Width and height in points, including the margin. */
const QR_CODE_SIZE = 150;

/** Writes nothing if no payment is due or the company has no payment details. */
function writePaymentInstructions(pdf: PdfWriter, view: RenderableInvoice): void {
  const [bank, link] = [buildBankRows(view), view.payment_link];
  if (bank.length === 0 && !link) return;
  pdf.y += 16;
  pdf.ensureSpace(QR_CODE_SIZE + 100);
  pdf.drawRule('#9ca3af');
  pdf.y += 12;
  pdf.drawText('How to pay', LEFT_X, HEADING_STYLE);
  pdf.y += pdf.getLineHeight(HEADING_STYLE) + 4;
  if (bank.length > 0) writeBankDetails(pdf, bank);
  if (link) writePaymentLink(pdf, link, formatMoney(view.request.total, view.document.currency));
}

function writeBankDetails(pdf: PdfWriter, rows: readonly { label: string; amount: string }[]): void {
  pdf.drawText('Bank transfer', LEFT_X, STRONG_STYLE);
  pdf.y += pdf.getLineHeight(STRONG_STYLE);
  for (const { label, amount } of rows) {
    pdf.drawText(label, LEFT_X, SMALL_STYLE);
    pdf.writeLines(pdf.wrapText(amount, TEXT_WIDTH - BANK_INDENT, BODY_STYLE), LEFT_X + BANK_INDENT, BODY_STYLE);
  }
  pdf.drawText(PAYMENT_REFERENCE_NOTE, LEFT_X, SMALL_STYLE);
  pdf.y += pdf.getLineHeight(SMALL_STYLE) + 10;
}

const BANK_INDENT = 110;

/** The QR code replaces the long link on paper. Only a link that is too long for a code is printed. */
function writePaymentLink(pdf: PdfWriter, link: string, amount: string): void {
  const code = encodeQrCode(link);
  pdf.ensureSpace(QR_CODE_SIZE + pdf.getLineHeight(STRONG_STYLE));
  pdf.drawText('Online with PayPal', LEFT_X, STRONG_STYLE);
  pdf.y += pdf.getLineHeight(STRONG_STYLE);
  const top = pdf.y;
  if (code) pdf.drawQrCode(code, LEFT_X, QR_CODE_SIZE);
  const x = code ? LEFT_X + QR_CODE_SIZE + 12 : LEFT_X;
  if (code) {
    pdf.drawText('Scan this code with your phone, or open:', x, BODY_STYLE);
    pdf.y += pdf.getLineHeight(BODY_STYLE);
  }
  const style = { ...(code ? STRONG_STYLE : SMALL_STYLE), color: GREEN };
  pdf.writeLink(pdf.wrapText(code ? `Pay ${amount} with PayPal` : link, RIGHT_X - x, style), link, x, style);
  pdf.y = Math.max(pdf.y, code ? top + QR_CODE_SIZE : top);
}

/** Encodes the link as rows of QR code modules with a white margin of four. Returns null if the link is too long for a QR code. */
export function encodeQrCode(link: string): boolean[][] | null {
  try {
    return encodeQR(link, 'raw', { ecc: 'high', border: 4 });
  } catch {
    return null;
  }
}
