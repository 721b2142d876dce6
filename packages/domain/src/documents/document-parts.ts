/** What quotes and invoices have in common, as customers get them. */

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

/** What a line is made from. */
export interface ContentLine {
  readonly name: string;
  readonly description: string | null;
  readonly is_service: boolean;
  readonly tax_inclusive: boolean;
  readonly quantity: string;
  readonly unit_price: string;
}

/** A line word for word as it is printed. */
export interface DocumentLine {
  readonly name: string;
  readonly description: string | null;
  readonly is_service: boolean;
  readonly quantity: string;
  readonly unit_price: string;
  readonly total: string;
  readonly tax: 'inc GST' | 'exc GST';
}

export interface DocumentTotals {
  /** '480.00' */
  readonly subtotal: string;
  /** 'GST 15%' */
  readonly tax_label: string;
  readonly tax: string;
  /** '$552.00' */
  readonly total: string;
}
