// Runs before the first paint, so that a dark page never flashes white and a closed sidebar never flashes open.
// Says so when the page itself cannot start.
// The stores that write the choices are src/lib/theme.ts and src/app/shell/use-sidebar.ts.
(() => {
  const read = (name) => {
    try {
      return JSON.parse(localStorage.getItem(name) ?? '{}').state ?? {};
    } catch {
      // An unreadable choice is no choice.
      return {};
    }
  };
  const system = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const { choice = 'system' } = read('callout-theme');
    const dark = choice === 'dark' || (choice !== 'light' && system.matches);
    document.documentElement.dataset.colorScheme = dark ? 'dark' : 'light';
    document.querySelector('meta[name=theme-color]')?.setAttribute('content', dark ? '#14191d' : '#ffffff');
  };
  apply();
  // For the frame of index.html; the application decides by itself.
  if (read('callout-sidebar').isClosed) document.documentElement.dataset.sidebar = 'closed';
  // Public pages have no store that follows the system.
  system.addEventListener('change', apply);
  // A browser's first use of dates is slow, and every page needs it. Here it costs nothing: the style sheet is still on its way.
  Intl.DateTimeFormat('en-US', { timeZone: 'UTC' }).format();

  // A page whose script is missing or broken cannot say so itself. On a slow connection scripts are late: time counts once they are there.
  const PATIENCE_MS = 15_000;
  const TAKE_OVER_MS = 5_000;
  const fail = () => {
    const app = document.getElementById('app');
    if (!app || document.documentElement.dataset.started) return;
    app.innerHTML = '<div role="alert" class="p-6"><p></p><button class="mt-5 bg-accent p-3 text-on-accent">Reload</button></div>';
    app.querySelector('p').textContent = `${document.title} couldn't be loaded. Check your connection and reload.`;
    app.querySelector('button').addEventListener('click', () => {
      const reload = () => location.reload();
      setTimeout(reload, TAKE_OVER_MS);
      openNewest(reload).catch(reload);
    });
  };
  // A newer build may be the one that works, and waits behind this one: see src/app/offline/worker-updates.ts.
  const openNewest = async (reload) => {
    const workers = navigator.serviceWorker;
    const registration = await workers.getRegistration();
    await registration.update().catch(() => undefined);
    workers.addEventListener('controllerchange', reload);
    (registration.waiting ?? registration.installing).postMessage('take over');
  };
  window.addEventListener('error', ({ target }) => target.type === 'module' && fail(), true);
  window.addEventListener('load', () => setTimeout(fail, PATIENCE_MS));
})();
