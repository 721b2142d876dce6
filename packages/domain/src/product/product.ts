/** Product name shown in the header, in emails and on public pages. */
export const PRODUCT_NAME = 'Callout';
/** The home page is the root of each server. There is no separate website. */
export const PRODUCT_URL = '/';

/** How texts name the system administrator, who runs the server. 'Administrator' alone would mean the admins of a company. */
export const SERVER_ADMIN_LABEL = `the person who runs this ${PRODUCT_NAME} server`;

/**
 * The message of UNAVAILABLE if trying again helps. The server has already tried twice. Not in the contract, because every page compares it
 * and would then load the schemas.
 */
export const BUSY_MESSAGE = 'The server is busy right now. Please try again in a moment.';
