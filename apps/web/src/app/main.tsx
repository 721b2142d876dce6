import '../ui/tokens.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { storeVisiblePageCounts } from '../lib/live-updates.ts';
import { createQueryClient, preventUnloadWhileSaving } from '../lib/query-client.ts';
import { scheduleOfflineSetup } from './offline/schedule-offline-setup.ts';
import { startLoadingChunks } from './route-chunks.ts';
import { createAppRouter } from './router.ts';
import { setUpScrollRestoration } from './scroll-restoration.ts';
import { watchSession } from './session.ts';

const yieldToBrowser = () => new Promise((resolve) => setTimeout(resolve));

/** Starts the app in several short tasks, so that the browser can respond to taps before the first page has rendered. */
async function start(): Promise<void> {
  const container = document.getElementById('app');
  if (!container) throw new Error('index.html has no #app element');
  await yieldToBrowser();
  const queryClient = createQueryClient();
  const router = createAppRouter(queryClient);
  watchSession(router, queryClient);
  preventUnloadWhileSaving(queryClient);
  startLoadingChunks(router);
  // Only in production: during development, every code change would show the "new version" banner.
  if (import.meta.env.PROD) scheduleOfflineSetup(router, queryClient);
  await yieldToBrowser();
  await router.load();
  setUpScrollRestoration(router, () => storeVisiblePageCounts(queryClient));
  // Stops public/start.js from reporting that the app failed to start.
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
