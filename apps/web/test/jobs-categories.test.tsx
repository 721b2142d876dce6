import { act, fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { GAS_CATEGORY } from './fixtures.ts';
import { clickByLabel, openJobForm } from './open-job-form.ts';
import { pressButton, typeInto } from './open-page.tsx';

it('filters categories by name', async () => {
  openJobForm('/jobs/new');
  await screen.findByLabelText('Gas');
  typeInto('Filter categories', 'dra');
  expect(screen.queryByLabelText('Gas')).toBeNull();
  screen.getByLabelText('Drains');
  typeInto('Filter categories', 'zzz');
  expect(screen.getByText('No categories found')).toBeDefined();
});

it('shows eight categories at first, and the rest behind a button', async () => {
  const rows = Array.from({ length: 10 }, (_, index) => ({ ...GAS_CATEGORY, id: `category-${index}`, name: `Category ${index}` }));
  openJobForm('/jobs/new', { 'GET /categories': () => ({ rows }) });
  await screen.findByLabelText('Category 7');
  expect(screen.queryByLabelText('Category 8')).toBeNull();
  await pressButton('Show all 10 categories');
  screen.getByLabelText('Category 9');
});

it('does not open the on-screen keyboard when a category is removed by tap', async () => {
  openJobForm('/jobs/new');
  await screen.findByLabelText('Gas');
  await clickByLabel('Gas');
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Remove Gas' }), { detail: 1 }));
  expect(screen.queryByRole('list', { name: 'Chosen categories' })).toBeNull();
  expect(document.activeElement).not.toBe(screen.getByLabelText('Filter categories'));
});
