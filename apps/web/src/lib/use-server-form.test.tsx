import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { toast } from '../ui/toast.ts';
import { CallError } from './error-messages.ts';
import { useServerForm } from './use-server-form.ts';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const Person = z.object({ name: z.string().min(1, 'Name is required'), email: z.string(), timezone: z.string() });
type Person = z.infer<typeof Person>;

interface ExampleProps {
  save: (person: Person) => Promise<unknown>;
  failed?: (error: unknown, atFields: boolean) => void;
  hidesEmail?: boolean;
}

const nothing = () => undefined;

function Example({ save, failed = nothing, hidesEmail = false }: ExampleProps) {
  const { form, submit } = useServerForm({
    schema: Person,
    defaultValues: { name: '', email: '', timezone: 'UTC' },
    save,
    saved: () => undefined,
    failed,
  });
  const { errors } = form.formState;
  return (
    <form onSubmit={submit}>
      <input aria-label="Name" {...form.register('name')} />
      {!hidesEmail && <input aria-label="Email" {...form.register('email')} />}
      <p>{[errors.name?.message, errors.email?.message].join('')}</p>
      <button type="submit">Save</button>
    </form>
  );
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = () => act(async () => fireEvent.click(screen.getByRole('button', { name: 'Save' })));
const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;

test('a wrong field is told and focused, and nothing is sent', async () => {
  const sent: Person[] = [];
  render(<Example save={async (person) => sent.push(person)} />);
  await press();
  expect(screen.getByText('Name is required')).toBeDefined();
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Name');
  expect(sent).toEqual([]);
});

test('what the server finds wrong lands at its field, and what was typed stays', async () => {
  const told: boolean[] = [];
  const refusal = new CallError('INVALID_INPUT', { status: 422, data: { fields: { email: 'Please enter a valid email address' } } });
  render(<Example save={() => Promise.reject(refusal)} failed={(_error, atFields) => told.push(atFields)} />);
  type('Name', 'Mia');
  type('Email', 'mia');
  await press();
  expect(screen.getByText('Please enter a valid email address')).toBeDefined();
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Email');
  expect([value('Name'), value('Email')]).toEqual(['Mia', 'mia']);
  expect(told).toEqual([true]);
});

test('a double press sends once', async () => {
  const sent: Person[] = [];
  const line = Promise.withResolvers<void>();
  render(
    <Example
      save={(person) => {
        sent.push(person);
        return line.promise;
      }}
    />,
  );
  type('Name', 'Mia');
  await press();
  await press();
  await act(async () => line.resolve());
  expect(sent).toHaveLength(1);
});

test('a failed save keeps what was typed, and the same press works again', async () => {
  const answers = [() => Promise.reject(new TypeError('Failed to fetch')), () => Promise.resolve()];
  render(<Example save={() => answers.shift()?.() ?? Promise.resolve()} />);
  type('Name', 'Mia');
  await press();
  expect(value('Name')).toBe('Mia');
  await press();
  expect(answers).toEqual([]);
});

test('what the server finds wrong in a field that does not show is a toast', async () => {
  const said = vi.spyOn(toast, 'error');
  const fields = { email: 'Please enter a valid email address', timezone: 'Please choose a time zone' };
  const refusal = new CallError('INVALID_INPUT', { status: 422, data: { fields } });
  render(<Example save={() => Promise.reject(refusal)} />);
  type('Name', 'Mia');
  await press();
  expect(screen.getByText('Please enter a valid email address')).toBeDefined();
  expect(said.mock.calls).toEqual([['Please choose a time zone']]);
});

test('a field that no longer shows is no place for what is wrong with it', async () => {
  const said = vi.spyOn(toast, 'error');
  const refusal = new CallError('INVALID_INPUT', { status: 422, data: { fields: { email: 'Please enter a valid email address' } } });
  const save = () => Promise.reject(refusal);
  const { rerender } = render(<Example save={save} />);
  type('Name', 'Mia');
  rerender(<Example save={save} hidesEmail />);
  await press();
  expect(said.mock.calls).toEqual([['Please enter a valid email address']]);
});
