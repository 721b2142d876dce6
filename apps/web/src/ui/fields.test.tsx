import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { CheckboxField, RadioGroup, SwitchField } from './choice-fields.tsx';
import { PasswordField } from './password-field.tsx';
import { SearchField } from './search-field.tsx';
import { SelectField } from './select-field.tsx';
import { TextAreaField, TextField } from './text-field.tsx';

afterEach(cleanup);

/** What is read aloud with a control, besides its label. */
function spokenWith(control: HTMLElement): string {
  const ids = control.getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent).join(' ');
}

const wrong = { label: 'Name', hint: 'As on the invoice', error: 'Name is required' };
const choices = [{ value: 'a', label: 'A' }];

test.each([
  ['text', <TextField key="text" {...wrong} />],
  ['long text', <TextAreaField key="long" {...wrong} />],
  ['select', <SelectField key="select" {...wrong} choices={choices} />],
  ['checkbox', <CheckboxField key="checkbox" {...wrong} />],
  ['switch', <SwitchField key="switch" {...wrong} />],
])('a wrong %s field says so beside itself and aloud', (_kind, field) => {
  render(field);
  const control = screen.getByLabelText(/^Name/);
  expect(control.getAttribute('aria-invalid')).toBe('true');
  expect(spokenWith(control)).toBe('As on the invoice Name is required');
});

test('a wrong choice is read with its group', () => {
  render(<RadioGroup {...wrong} choices={choices} name="type" />);
  expect(spokenWith(screen.getByRole('group', { name: 'Name' }))).toBe('As on the invoice Name is required');
});

test('a right field has nothing to add', () => {
  render(<TextField label="Notes" optional />);
  expect(screen.getByLabelText('Notes (optional)').hasAttribute('aria-describedby')).toBe(false);
});

test('a password can be shown and hidden', () => {
  render(<PasswordField label="Password" />);
  const field = screen.getByLabelText<HTMLInputElement>('Password');
  expect(field.type).toBe('password');
  fireEvent.click(screen.getByRole('button', { name: 'Show password' }));
  expect(field.type).toBe('text');
});

test('Escape and the cross empty a search', () => {
  const terms: string[] = [];
  render(<SearchField label="Search customers" value="anna" onChange={(term) => terms.push(term)} />);
  fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Escape' });
  fireEvent.click(screen.getByRole('button', { name: 'Clear search' }));
  expect(terms).toEqual(['', '']);
});
