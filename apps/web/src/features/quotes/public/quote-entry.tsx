import { renderPublicPage } from '../../../public-pages/render-public-page.tsx';
import { PublicQuotePage } from './public-quote.tsx';

/** The script of quote.html. */
renderPublicPage(PublicQuotePage);
