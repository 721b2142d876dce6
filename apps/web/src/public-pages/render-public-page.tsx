import '../ui/tokens.css';
import { type ComponentType, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

/** Renders a public page for the token at the end of the URL, without the router and the app shell to keep the page small. */
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
