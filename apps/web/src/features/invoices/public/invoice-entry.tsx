import { renderPublicPage } from '../../../public-pages/render-public-page.tsx';
import { PublicInvoicePage } from './public-invoice-page.tsx';

renderPublicPage(PublicInvoicePage);
