import '../../../ui/tokens.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PublicQuotePage } from './public-quote.tsx';

/** The script of quote.html: a customer's phone loads neither the router nor the shell. */
const container = document.getElementById('app');
if (!container) throw new Error('The page has no element for the application');
const [, , token = ''] = window.location.pathname.split('/');
createRoot(container).render(
  <StrictMode>
    <PublicQuotePage token={token} />
  </StrictMode>,
);
