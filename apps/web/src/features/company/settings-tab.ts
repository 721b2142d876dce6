export const SETTINGS_TABS = ['general', 'categories', 'menu-order', 'profile'] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];
