/** The product's name and home, used by header, mails and public pages alike. */
export const PRODUCT_NAME = 'Callout';
export const PRODUCT_URL = 'https://callout.example';
