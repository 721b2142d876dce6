import '../ui/tokens.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from '../lib/query-client.ts';
import { createAppRouter } from './router.ts';
import { watchSession } from './session.ts';

const queryClient = createQueryClient();
const router = createAppRouter(queryClient);

watchSession(router, queryClient);
// Nothing can be scrolled before the first page is there.
void import('./scroll-memory.ts').then(({ rememberScroll }) => rememberScroll(router));

const place = document.getElementById('app');
if (!place) throw new Error('The page has no place for the application');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
