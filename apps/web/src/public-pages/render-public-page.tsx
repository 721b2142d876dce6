import '../ui/tokens.css';
import { type ComponentType, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

/** The script of a public page, whose path ends with the token of its link: a customer's phone loads neither the router nor the shell. */
export function renderPublicPage(Page: ComponentType<{ token: string }>): void {
  const container = document.getElementById('app');
  if (!container) throw new Error('The page has no element for the application');
  const [, , token = ''] = window.location.pathname.split('/');
  document.documentElement.dataset['started'] = 'true';
  createRoot(container).render(
    <StrictMode>
      <Page token={token} />
    </StrictMode>,
  );
}
