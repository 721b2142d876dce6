import '../ui/tokens.css';
import { type ComponentType, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

/** Renders the page for the token at the end of the URL path, without the router and the app shell to keep it small. */
export function renderPublicPage(Page: ComponentType<{ token: string }>): void {
  const container = document.getElementById('app');
  if (!container) throw new Error('The page has no #app element');
  const [, , token = ''] = window.location.pathname.split('/');
  document.documentElement.dataset['started'] = 'true';
  createRoot(container).render(
    <StrictMode>
      <Page token={token} />
    </StrictMode>,
  );
}
