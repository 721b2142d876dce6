/** Product name shown in the header, in emails and on public pages. */
export const PRODUCT_NAME = 'Callout';
/** Each server's root is the product's home page; there is no separate website. */
export const PRODUCT_URL = '/';
