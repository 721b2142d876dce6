// Runs before the first paint, so that a dark page never flashes white and a closed sidebar never flashes open.
// Also shows an error if the application fails to start.
// The settings are written by src/lib/theme.ts and src/app/shell/use-sidebar.ts.
(() => {
  const readSettings = (key) => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? '{}').state ?? {};
    } catch {
      // Use the defaults if the stored value is unreadable.
      return {};
    }
  };
  const systemTheme = matchMedia('(prefers-color-scheme: dark)');
  const applyTheme = () => {
    const { choice = 'system' } = readSettings('callout-theme');
    const dark = choice === 'dark' || (choice !== 'light' && systemTheme.matches);
    document.documentElement.dataset.colorScheme = dark ? 'dark' : 'light';
    document.querySelector('meta[name=theme-color]')?.setAttribute('content', dark ? '#14191d' : '#ffffff');
  };
  applyTheme();
  // Only the frame in index.html needs this; the application reads the store.
  if (readSettings('callout-sidebar').isClosed) document.documentElement.dataset.sidebar = 'closed';
  // Public pages have no theme store that follows the system setting.
  systemTheme.addEventListener('change', applyTheme);
  // Warms up date formatting while the style sheet is still loading: the first use is slow, and every page needs it.
  Intl.DateTimeFormat('en-US', { timeZone: 'UTC' }).format();

  // A missing or broken script cannot report itself. The timeout starts at the load event, because scripts are slow on a slow connection.
  const START_TIMEOUT_MS = 15_000;
  const TAKE_OVER_TIMEOUT_MS = 5_000;
  const showStartFailure = () => {
    const app = document.getElementById('app');
    if (!app || document.documentElement.dataset.started) return;
    app.innerHTML = '<div role="alert" class="p-6"><p></p><button class="mt-5 bg-accent p-3 text-on-accent">Reload</button></div>';
    app.querySelector('p').textContent = `${document.title} couldn't be loaded. Check your connection and reload.`;
    app.querySelector('button').addEventListener('click', () => {
      const reload = () => location.reload();
      setTimeout(reload, TAKE_OVER_TIMEOUT_MS);
      activateNewestBuild(reload).catch(reload);
    });
  };
  // A newer build that fixes the failure may be waiting; see src/app/offline/service-worker-updates.ts.
  const activateNewestBuild = async (reload) => {
    const workers = navigator.serviceWorker;
    const registration = await workers.getRegistration();
    await registration.update().catch(() => undefined);
    workers.addEventListener('controllerchange', reload);
    (registration.waiting ?? registration.installing).postMessage('take over');
  };
  window.addEventListener('error', ({ target }) => target.type === 'module' && showStartFailure(), true);
  window.addEventListener('load', () => setTimeout(showStartFailure, START_TIMEOUT_MS));
})();
