export const CUSTOMER_TABS = ['details', 'quotes', 'jobs', 'attachments'] as const;
export type CustomerTab = (typeof CUSTOMER_TABS)[number];
