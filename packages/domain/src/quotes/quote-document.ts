import type { ContentLine, DocumentCustomer, DocumentIssuer, DocumentLine, DocumentTotals } from '../documents/document-parts.ts';
import { type DepositTerms, depositOf } from '../invoices/payment-request.ts';
import { lineTotal } from '../money/money.ts';
import { formatAmount, formatMoney } from '../money/money-text.ts';
import { taxLabel } from '../tax/tax.ts';
import { formatCivilDate } from '../time/date-format.ts';
import { quoteTotals, sectionTotals } from './quote-price.ts';

/** What a customer may know of a quote: all that a document is made from, and nothing else. */
export interface QuoteContent {
  readonly quote_number: string;
  readonly title: string;
  readonly description: string | null;
  /** 'yyyy-MM-dd' in the company's time zone. */
  readonly created_on: string;
  readonly valid_until: string | null;
  readonly currency: string | null;
  /** Percent. */
  readonly tax_rate: string;
  /** Null when no deposit is asked for on acceptance. */
  readonly deposit: DepositTerms | null;
  readonly issuer: DocumentIssuer;
  readonly customer: DocumentCustomer | null;
  readonly sections: readonly ContentSection[];
}

export interface ContentSection {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly always_required: boolean;
  readonly items: readonly ContentLine[];
}

/** Page, mail and PDF say it before the amount, below the total. */
export const DEPOSIT_LABEL = 'Deposit on acceptance';

/** A quote with a choice of its sections, word for word as the page, the mail and the PDF print it. */
export interface QuoteDocument {
  readonly quote_number: string;
  readonly title: string;
  readonly description: string | null;
  /** 'Jan 5, 2025' */
  readonly created: string;
  readonly valid_until: string | null;
  readonly issuer: DocumentIssuer;
  readonly customer: DocumentCustomer | null;
  readonly sections: readonly DocumentSection[];
  /** Of the required and selected sections. */
  readonly summary: DocumentTotals & { readonly rounding: string | null };
  /** The total as exact money, in the currency. */
  readonly total_amount: string;
  /** '$690.00', asked for on acceptance of this choice; missing in what was accepted before there were deposits. */
  readonly deposit?: string | null | undefined;
  readonly currency: string | null;
}

export interface DocumentSection extends DocumentTotals {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly choice: 'required' | 'selected' | 'not-selected';
  readonly items: readonly DocumentLine[];
}

/** The one function that words and prices a quote; required sections are part of it whatever is selected. */
export function quoteDocument(content: QuoteContent, selectedIds: readonly string[]): QuoteDocument {
  const { currency, tax_rate, sections } = content;
  const tax_label = `GST ${tax_rate}%`;
  const isIncluded = ({ id, always_required }: ContentSection) => always_required || selectedIds.includes(id);
  const totals = quoteTotals(sections.filter(isIncluded), tax_rate);
  const deposit = content.deposit && depositOf(content.deposit, totals.total_amount);
  return {
    quote_number: content.quote_number,
    title: content.title,
    description: content.description,
    created: formatCivilDate(content.created_on),
    valid_until: content.valid_until && formatCivilDate(content.valid_until),
    issuer: content.issuer,
    customer: content.customer,
    sections: sections.map((section) => {
      const { id, name, description, always_required, items } = section;
      const own = sectionTotals(section, tax_rate);
      return {
        id,
        name,
        description,
        choice: always_required ? 'required' : isIncluded(section) ? 'selected' : 'not-selected',
        items: items.map(documentLine),
        subtotal: formatAmount(own.subtotal),
        tax_label,
        tax: formatAmount(own.tax_amount),
        total: formatMoney(own.total_amount, currency),
      };
    }),
    summary: {
      subtotal: formatAmount(totals.subtotal),
      tax_label,
      tax: formatAmount(totals.tax_amount),
      rounding: totals.rounding === '0.00' ? null : formatAmount(totals.rounding),
      total: formatMoney(totals.total_amount, currency),
    },
    total_amount: totals.total_amount,
    deposit: deposit && formatMoney(deposit, currency),
    currency,
  };
}

function documentLine({ name, description, is_service, tax_inclusive, quantity, unit_price }: ContentLine): DocumentLine {
  return {
    name,
    description,
    is_service,
    quantity,
    unit_price: formatAmount(unit_price),
    total: formatAmount(lineTotal(unit_price, quantity)),
    tax: taxLabel(tax_inclusive),
  };
}
