/** Product name shown in the header, in emails and on public pages. */
export const PRODUCT_NAME = 'Callout';
/** The home page is the root of each server. There is no separate website. */
export const PRODUCT_URL = '/';
