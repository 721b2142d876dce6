// Runs before the first paint, so that a dark page never flashes white. The store that writes the choice is src/lib/theme.ts.
(() => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    let choice = 'system';
    try {
      choice = JSON.parse(localStorage.getItem('callout-theme') ?? '{}').state?.choice ?? choice;
    } catch {
      // An unreadable choice is no choice.
    }
    const dark = choice === 'dark' || (choice !== 'light' && system.matches);
    document.documentElement.dataset.colorScheme = dark ? 'dark' : 'light';
    document.querySelector('meta[name=theme-color]')?.setAttribute('content', dark ? '#14191d' : '#ffffff');
  };
  apply();
  // Public pages have no store that follows the system.
  system.addEventListener('change', apply);
})();
