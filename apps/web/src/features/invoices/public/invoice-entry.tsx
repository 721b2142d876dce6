import { renderPublicPage } from '../../../public-pages/render-public-page.tsx';
import { PublicInvoicePage } from './public-invoice.tsx';

/** The script of invoice.html. */
renderPublicPage(PublicInvoicePage);
