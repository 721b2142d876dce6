/** Parts shared by the quotes and invoices that customers receive. */

export interface DocumentIssuer {
  readonly company_name: string | null;
  readonly address: string | null;
  readonly phone: string | null;
  readonly email: string | null;
}

export interface DocumentCustomer {
  readonly name: string;
  readonly company_name: string | null;
}

/** A customer as billed. Tax invoices name the buyer's address. */
export interface BilledCustomer extends DocumentCustomer {
  readonly address: string | null;
}

/** A line item with unformatted figures. */
export interface LineContent {
  readonly name: string;
  readonly description: string | null;
  readonly is_service: boolean;
  readonly tax_inclusive: boolean;
  readonly quantity: string;
  readonly unit_price: string;
}

/** A line item exactly as printed. */
export interface DocumentLine {
  readonly name: string;
  readonly description: string | null;
  readonly is_service: boolean;
  readonly quantity: string;
  readonly unit_price: string;
  /** Discount included in the total: 'Discount 10%: -11.50'. */
  readonly discount?: string | undefined;
  readonly total: string;
  readonly tax: 'inc GST' | 'exc GST';
}

export interface DocumentTotals {
  /** Formatted without a currency symbol: '480.00'. */
  readonly subtotal: string;
  /** Tax name and rate: 'GST 15%'. */
  readonly tax_label: string;
  readonly tax: string;
  /** Formatted with the currency symbol: '$552.00'. */
  readonly total: string;
}
