import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { DetachedWindowAPI } from 'happy-dom';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { ResponsiveTabs } from './responsive-tabs.tsx';

declare global {
  interface Window {
    happyDOM: DetachedWindowAPI;
  }
}

afterEach(cleanup);

function setWidth(width: number) {
  window.happyDOM.setViewport({ width, height: 800 });
}

function Example({ tabsOnPhones = false }) {
  const [active, setActive] = useState<'details' | 'jobs'>('details');
  const tabs = [
    { id: 'details', label: 'Details', content: <input aria-label="Name" /> },
    { id: 'jobs', label: 'Jobs', content: <p>No jobs found</p> },
  ] as const;
  return <ResponsiveTabs label="Customer" tabs={tabs} active={active} onChange={setActive} tabsOnPhones={tabsOnPhones} />;
}

test('renders tabs from 768 px up and switches them with the arrow keys', async () => {
  setWidth(768);
  render(<Example />);
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Details', 'Jobs']);
  const details = screen.getByRole('tab', { name: 'Details' });
  act(() => details.focus());
  fireEvent.keyDown(details, { key: 'ArrowRight' });
  await screen.findByRole('tab', { name: 'Jobs', selected: true });
  expect(document.activeElement?.textContent).toBe('Jobs');
  expect(screen.getByText('No jobs found')).toBeDefined();
});

test('renders an accordion below 768 px and collapses the open panel', () => {
  setWidth(767);
  render(<Example />);
  expect(screen.queryByRole('tab')).toBeNull();
  const details = screen.getByRole('button', { name: 'Details' });
  expect(details.getAttribute('aria-expanded')).toBe('true');
  fireEvent.click(details);
  expect(details.getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(screen.getByRole('button', { name: 'Jobs' }));
  expect(screen.getByRole('button', { name: 'Jobs' }).getAttribute('aria-expanded')).toBe('true');
});

test('keeps typed text after switching tabs', () => {
  setWidth(1024);
  render(<Example />);
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Mia' } });
  fireEvent.click(screen.getByRole('tab', { name: 'Jobs' }));
  fireEvent.click(screen.getByRole('tab', { name: 'Details' }));
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Mia');
});

test('keeps typed text when a tablet is rotated', () => {
  setWidth(1024);
  const { rerender } = render(<Example />);
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Mia' } });
  setWidth(600);
  rerender(<Example />);
  expect(screen.getByRole('button', { name: 'Details' })).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Mia');
});

test('keeps tabs on phones if `tabsOnPhones` is set', () => {
  setWidth(390);
  render(<Example tabsOnPhones />);
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Details', 'Jobs']);
});
