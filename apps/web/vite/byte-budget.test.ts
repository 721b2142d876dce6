import { expect, test } from 'vitest';
import { checkBudget, type Piece } from './byte-budget.ts';

const KB = 1024;
const piece = (fileName: string, kB: number, rest: Partial<Piece> = {}): Piece => ({
  fileName,
  isEntry: false,
  route: undefined,
  imports: [],
  bytes: kB * KB,
  ...rest,
});
const entry = piece('entry.js', 100, { isEntry: true, imports: ['react.js'] });
const react = piece('react.js', 10);

test('the first screen may weigh 120 kB with everything it imports', () => {
  const dashboard = (kB: number) => piece('dashboard.js', kB, { route: '/_shell/dashboard', imports: ['react.js'] });
  expect(checkBudget([entry, react, dashboard(10)]).over).toEqual([]);
  expect(checkBudget([entry, react, dashboard(11)]).over).toEqual(['entry, shell and dashboard: 121.0 kB of 120 kB']);
});

test('a route pays for what only it needs, not for what the entry brings', () => {
  const list = (kB: number) => piece('list.js', kB, { route: '/_shell/customers', imports: ['react.js', 'virtual.js'] });
  const virtual = piece('virtual.js', 12);
  expect(checkBudget([entry, react, virtual, list(38)]).over).toEqual([]);
  expect(checkBudget([entry, react, virtual, list(39)]).over).toEqual(['/_shell/customers: 51.0 kB of 50 kB']);
});

test('forms may weigh 85 kB, a public page next to nothing', () => {
  const route = (path: string, kB: number) => checkBudget([entry, react, piece('page.js', kB, { route: path })]).over;
  expect(route('/_shell/customers/new', 85)).toEqual([]);
  expect(route('/auth', 86)).toEqual(['/auth: 86.0 kB of 85 kB']);
  expect(route('/quote/$id', 11)).toEqual(['/quote/$id: 11.0 kB of 10 kB']);
});
