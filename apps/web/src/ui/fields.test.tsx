import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { CheckboxField, RadioGroup, SwitchField } from './choice-fields.tsx';
import { PasswordField } from './password-field.tsx';
import { SearchField } from './search-field.tsx';
import { SelectField } from './select-field.tsx';
import { TextAreaField, TextField } from './text-field.tsx';

afterEach(cleanup);

/** Returns the hint and error that screen readers announce with the control. */
function getDescription(control: HTMLElement): string {
  const ids = control.getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent).join(' ');
}

const invalidProps = { label: 'Name', hint: 'As on the invoice', error: 'Name is required' };
const choices = [{ value: 'a', label: 'A' }];

test.each([
  ['text', <TextField key="text" {...invalidProps} />],
  ['long text', <TextAreaField key="long" {...invalidProps} />],
  ['select', <SelectField key="select" {...invalidProps} choices={choices} />],
  ['checkbox', <CheckboxField key="checkbox" {...invalidProps} />],
  ['switch', <SwitchField key="switch" {...invalidProps} />],
])('displays and announces the error of an invalid %s field', (_kind, field) => {
  render(field);
  const control = screen.getByLabelText(/^Name/);
  expect(control.getAttribute('aria-invalid')).toBe('true');
  expect(getDescription(control)).toBe('As on the invoice Name is required');
});

test("announces a radio group's error with the group", () => {
  render(<RadioGroup {...invalidProps} choices={choices} name="type" />);
  expect(getDescription(screen.getByRole('group', { name: 'Name' }))).toBe('As on the invoice Name is required');
});

test('adds no description to a valid field without a hint', () => {
  render(<TextField label="Notes" optional />);
  expect(screen.getByLabelText('Notes (optional)').hasAttribute('aria-describedby')).toBe(false);
});

test('reveals the typed password on request', () => {
  render(<PasswordField label="Password" />);
  const field = screen.getByLabelText<HTMLInputElement>('Password');
  expect(field.type).toBe('password');
  fireEvent.click(screen.getByRole('button', { name: 'Show password' }));
  expect(field.type).toBe('text');
});

test('clears the search with Escape or the clear button', () => {
  const terms: string[] = [];
  render(<SearchField label="Search customers" value="anna" onChange={(term) => terms.push(term)} />);
  fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Escape' });
  fireEvent.click(screen.getByRole('button', { name: 'Clear search' }));
  expect(terms).toEqual(['', '']);
});
