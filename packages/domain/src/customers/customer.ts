export const CUSTOMER_STATUSES = ['active', 'inactive'] as const;
export type CustomerStatus = (typeof CUSTOMER_STATUSES)[number];

export const CUSTOMER_TYPES = ['individual', 'company'] as const;
export type CustomerType = (typeof CUSTOMER_TYPES)[number];

/** A customer has no stored type: the company name decides. */
export function customerType(customer: { company_name: string | null }): CustomerType {
  return customer.company_name ? 'company' : 'individual';
}

export const NO_CUSTOMER = 'No Customer';

/** The customer's display name in lists and on documents. */
export function customerLabel(customer: { name: string; company_name: string | null } | null): string {
  return customer?.company_name || customer?.name || NO_CUSTOMER;
}
