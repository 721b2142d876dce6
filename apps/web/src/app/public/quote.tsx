import { PublicNotBuiltPage, renderPublicPage } from './render-public-page.tsx';

renderPublicPage(<PublicNotBuiltPage title="Quote" sentence="This quote cannot be shown online yet." />);
