import '../ui/tokens.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { rememberPagesInView } from '../lib/live.ts';
import { createQueryClient, warnWhileSaving } from '../lib/query-client.ts';
import { workOffline } from './offline/work-offline.ts';
import { startLoadingChunks } from './route-chunks.ts';
import { createAppRouter } from './router.ts';
import { rememberScroll } from './scroll-memory.ts';
import { watchSession } from './session.ts';

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/**
 * Until the page is known the HTML shows its frame. Loading the modules, making the router and finding the page are tasks of their own,
 * and a transition renders in slices: that leaves room for a tap.
 */
async function start(): Promise<void> {
  const container = document.getElementById('app');
  if (!container) throw new Error('The page has no element for the application');
  await nextTask();
  const queryClient = createQueryClient();
  const router = createAppRouter(queryClient);
  watchSession(router, queryClient);
  warnWhileSaving(queryClient);
  startLoadingChunks(router);
  // In development every change would be a new version.
  if (import.meta.env.PROD) workOffline(router, queryClient);
  await nextTask();
  await router.load();
  rememberScroll(router, () => rememberPagesInView(queryClient));
  // For public/start.js, which says that nothing starts.
  document.documentElement.dataset['started'] = 'true';
  startTransition(() =>
    createRoot(container).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </StrictMode>,
    ),
  );
}

void start();
