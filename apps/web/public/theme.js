// Runs before the first paint, so that a dark page never flashes white and a closed sidebar never flashes open.
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
})();
