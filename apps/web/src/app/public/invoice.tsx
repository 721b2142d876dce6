import { PublicNotBuiltPage, renderPublicPage } from './render-public-page.tsx';

renderPublicPage(<PublicNotBuiltPage title="Invoice" sentence="This invoice cannot be shown online yet." />);
