import type { DocumentCustomer, DocumentIssuer, DocumentLine, DocumentTotals, LineContent } from '../documents/document-parts.ts';
import { calculateDeposit, type DepositTerms } from '../invoices/payment-request.ts';
import { calculateLineTotal } from '../money/money.ts';
import { formatAmount, formatMoney } from '../money/money-format.ts';
import { getTaxInclusionLabel } from '../tax/tax.ts';
import { formatCivilDate } from '../time/date-format.ts';
import { calculateQuoteTotals, calculateSectionTotals, hasSectionTax } from './quote-price.ts';

/** The only data that quote documents are built from. It contains nothing that the customer may not see. */
export interface QuoteContent {
  readonly quote_number: string;
  readonly title: string;
  readonly description: string | null;
  /** Creation date ('yyyy-MM-dd') in the company's time zone. */
  readonly created_on: string;
  readonly valid_until: string | null;
  readonly currency: string | null;
  /** In percent. */
  readonly tax_rate: string;
  /** Null if no deposit is requested on acceptance. */
  readonly deposit: DepositTerms | null;
  readonly issuer: DocumentIssuer;
  readonly customer: DocumentCustomer | null;
  readonly sections: readonly QuoteSectionContent[];
}

export interface QuoteSectionContent {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly always_required: boolean;
  readonly items: readonly LineContent[];
}

/** Label of the deposit, which is printed below the total on the page, in the email and in the PDF. */
export const DEPOSIT_LABEL = 'Deposit on acceptance';

/** A quote with the selected sections, exactly as printed on the page, in the email and in the PDF. */
export interface QuoteDocument {
  readonly quote_number: string;
  readonly title: string;
  readonly description: string | null;
  /** Creation date: 'Jan 5, 2025'. */
  readonly created: string;
  readonly valid_until: string | null;
  readonly issuer: DocumentIssuer;
  readonly customer: DocumentCustomer | null;
  readonly sections: readonly DocumentSection[];
  /** Whether each section prints its subtotal and tax; see `hasSectionTax`. Missing in older accepted quotes, which printed them. */
  readonly has_section_tax?: boolean | undefined;
  /** Totals of the required and selected sections. */
  readonly summary: DocumentTotals & { readonly rounding: string | null };
  /** The total as a decimal string. */
  readonly total_amount: string;
  /** Deposit requested on acceptance: '$690.00'. Missing in quotes accepted before deposits existed. */
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

/** Prices and formats a quote; no other code does this. Required sections are included even if they are not selected. */
export function buildQuoteDocument(content: QuoteContent, selectedIds: readonly string[]): QuoteDocument {
  const { currency, tax_rate, sections } = content;
  const tax_label = `GST ${tax_rate}%`;
  const isIncluded = ({ id, always_required }: QuoteSectionContent) => always_required || selectedIds.includes(id);
  const totals = calculateQuoteTotals(sections.filter(isIncluded), tax_rate);
  const deposit = content.deposit && calculateDeposit(content.deposit, totals.total_amount);
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
      const sectionTotals = calculateSectionTotals(section, tax_rate);
      return {
        id,
        name,
        description,
        choice: always_required ? 'required' : isIncluded(section) ? 'selected' : 'not-selected',
        items: items.map(buildDocumentLine),
        subtotal: formatAmount(sectionTotals.subtotal),
        tax_label,
        tax: formatAmount(sectionTotals.tax_amount),
        total: formatMoney(sectionTotals.total_amount, currency),
      };
    }),
    has_section_tax: hasSectionTax(sections, tax_rate),
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

function buildDocumentLine({ name, description, is_service, tax_inclusive, quantity, unit_price }: LineContent): DocumentLine {
  return {
    name,
    description,
    is_service,
    quantity,
    unit_price: formatAmount(unit_price),
    total: formatAmount(calculateLineTotal(unit_price, quantity)),
    tax: getTaxInclusionLabel(tax_inclusive),
  };
}
