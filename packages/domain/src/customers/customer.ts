export const CUSTOMER_STATUSES = ['active', 'inactive'] as const;
export type CustomerStatus = (typeof CUSTOMER_STATUSES)[number];

export const CUSTOMER_TYPES = ['individual', 'company'] as const;
export type CustomerType = (typeof CUSTOMER_TYPES)[number];

/** Derives the type, which isn't stored: a customer with a company name is a company. */
export function getCustomerType(customer: { company_name: string | null }): CustomerType {
  return customer.company_name ? 'company' : 'individual';
}

export const NO_CUSTOMER_LABEL = 'No Customer';

export function formatCustomerName(customer: { name: string; company_name: string | null } | null): string {
  return customer?.company_name || customer?.name || NO_CUSTOMER_LABEL;
}
