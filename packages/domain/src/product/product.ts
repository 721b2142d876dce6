/** The product's name, used by header, mails and public pages alike. */
export const PRODUCT_NAME = 'Callout';
/** Every server shows the product on its first page; there is no other site. */
export const PRODUCT_URL = '/';
