export const ADMIN_TABS = ['companies', 'outbox', 'queue', 'profile'] as const;
export type AdminTab = (typeof ADMIN_TABS)[number];
