import { describe, expect, it } from 'vitest';
import { KB } from './budgets.ts';
import { type Manifest, overBudget, table, weigh } from './weigh.ts';

const part = (route: string) => `src/app/routes/${route}.tsx?tsr-split=component`;

/** kB of each file; the routes share the entry's react and a table of their own. */
const FILES: Record<string, number> = {
  'main.js': 35,
  'shell.js': 5,
  'react.js': 60,
  'table.js': 30,
  'dashboard.js': 15,
  'customers.js': 10,
  'customer.js': 20,
  'calendar.js': 80,
  'public.js': 20,
  'main.css': 9,
};

const MANIFEST: Manifest = {
  'index.html': { file: 'main.js', isEntry: true, imports: ['_react.js'], css: ['main.css'] },
  'public.html': { file: 'public.js', isEntry: true, imports: ['_react.js'] },
  '_react.js': { file: 'react.js' },
  '_table.js': { file: 'table.js', imports: ['_react.js'] },
  [part('_shell')]: { file: 'shell.js', imports: ['_react.js'] },
  [part('_shell/dashboard')]: { file: 'dashboard.js', imports: ['_react.js'] },
  [part('_shell/customers.index')]: { file: 'customers.js', imports: ['_table.js'] },
  [part('_shell/customers.$id')]: { file: 'customer.js', imports: ['_react.js', part('_shell')] },
  [part('_shell/calendar')]: { file: 'calendar.js', imports: ['_table.js'] },
};

const weighed = (files: Record<string, number>) =>
  weigh(MANIFEST, (file) => ({ gzip: (files[file] ?? 0) * KB, brotli: (files[file] ?? 0) * 0.8 * KB }));

describe('the weight of a build', () => {
  it('counts shared pieces once, and beside the entry and the shell only what a route adds', () => {
    expect(Object.fromEntries(weighed(FILES).map(({ what, gzip }) => [what, gzip / KB]))).toEqual({
      'index.html (entry)': 95,
      'public.html (entry)': 80,
      '/dashboard (entry and dashboard)': 115,
      '/customers (page)': 40,
      '/customers/$id (form)': 20,
      '/calendar (calendar)': 110,
      styles: 9,
    });
  });

  it('names the route that is over and by how much', () => {
    const over = overBudget(weighed(FILES));
    expect(over.map(({ what }) => what)).toEqual(['/calendar (calendar)']);
    expect(table(over)).toMatch(/\/calendar \(calendar\) +110\.0 +88\.0 +90\.0 {3}OVER by 20\.0 kB/);
  });

  it.each([
    ['the dashboard together with the entry', 'dashboard.js', 21, '/dashboard (entry and dashboard)'],
    ['a public page in all', 'public.js', 31, 'public.html (entry)'],
    ['a page', 'customers.js', 21, '/customers (page)'],
    ['a form', 'customer.js', 86, '/customers/$id (form)'],
    ['the styles', 'main.css', 11, 'styles'],
  ])('has a limit for %s', (_, file, heavy, what) => {
    const light = { ...FILES, 'calendar.js': 1 };
    expect(overBudget(weighed(light))).toEqual([]);
    expect(overBudget(weighed({ ...light, [file]: heavy })).map((weight) => weight.what)).toEqual([what]);
  });
});
