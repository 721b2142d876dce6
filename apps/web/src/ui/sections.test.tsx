import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { DetachedWindowAPI } from 'happy-dom';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { Sections } from './sections.tsx';

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
  const sections = [
    { id: 'details', label: 'Details', content: <input aria-label="Name" /> },
    { id: 'jobs', label: 'Jobs', content: <p>No jobs found</p> },
  ] as const;
  return <Sections label="Customer" sections={sections} active={active} onChange={setActive} tabsOnPhones={tabsOnPhones} />;
}

test('from 768 px up the sections are tabs, moved by arrow keys', async () => {
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

test('below 768 px they are accordions, and the open one folds', () => {
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

test('what was typed outlives a look at another section', () => {
  setWidth(1024);
  render(<Example />);
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Mia' } });
  fireEvent.click(screen.getByRole('tab', { name: 'Jobs' }));
  fireEvent.click(screen.getByRole('tab', { name: 'Details' }));
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Mia');
});

test('what was typed outlives rotating a tablet', () => {
  setWidth(1024);
  const { rerender } = render(<Example />);
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Mia' } });
  setWidth(600);
  rerender(<Example />);
  expect(screen.getByRole('button', { name: 'Details' })).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Mia');
});

test('a set of screens keeps its tabs on a phone', () => {
  setWidth(390);
  render(<Example tabsOnPhones />);
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Details', 'Jobs']);
});
