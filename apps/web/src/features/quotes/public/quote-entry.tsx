import { renderPublicPage } from '../../../public-pages/render-public-page.tsx';
import { PublicQuotePage } from './public-quote-page.tsx';

renderPublicPage(PublicQuotePage);
