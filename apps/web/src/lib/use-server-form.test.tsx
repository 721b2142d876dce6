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
  saved?: () => void;
  failed?: (error: unknown, hasFieldErrors: boolean) => void;
  hidesEmail?: boolean;
}

const ignoreOutcome = () => undefined;

function Example({ save, saved = ignoreOutcome, failed = ignoreOutcome, hidesEmail = false }: ExampleProps) {
  const { form, submit } = useServerForm({
    schema: Person,
    defaultValues: { name: '', email: '', timezone: 'UTC' },
    save,
    onSaved: saved,
    onFailed: failed,
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
const pressSave = () => act(async () => fireEvent.click(screen.getByRole('button', { name: 'Save' })));
const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;

test('shows and focuses an invalid field without sending a request', async () => {
  const sent: Person[] = [];
  render(<Example save={async (person) => sent.push(person)} />);
  await pressSave();
  expect(screen.getByText('Name is required')).toBeDefined();
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Name');
  expect(sent).toEqual([]);
});

test("shows the server's field error next to its field and keeps the values", async () => {
  const reported: boolean[] = [];
  const invalidInput = new CallError('INVALID_INPUT', { status: 422, data: { fields: { email: 'Please enter a valid email address' } } });
  render(<Example save={() => Promise.reject(invalidInput)} failed={(_error, hasFieldErrors) => reported.push(hasFieldErrors)} />);
  type('Name', 'Mia');
  type('Email', 'mia');
  await pressSave();
  expect(screen.getByText('Please enter a valid email address')).toBeDefined();
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Email');
  expect([value('Name'), value('Email')]).toEqual(['Mia', 'mia']);
  expect(reported).toEqual([true]);
});

test('sends one request on a double click', async () => {
  const sent: Person[] = [];
  const response = Promise.withResolvers<void>();
  render(
    <Example
      save={(person) => {
        sent.push(person);
        return response.promise;
      }}
    />,
  );
  type('Name', 'Mia');
  await pressSave();
  await pressSave();
  await act(async () => response.resolve());
  expect(sent).toHaveLength(1);
});

test('keeps its values after a failed save and can be submitted again', async () => {
  const responses = [() => Promise.reject(new TypeError('Failed to fetch')), () => Promise.resolve()];
  render(<Example save={() => responses.shift()?.() ?? Promise.resolve()} />);
  type('Name', 'Mia');
  await pressSave();
  expect(value('Name')).toBe('Mia');
  await pressSave();
  expect(responses).toEqual([]);
});

test('keeps its unsaved values if the user decides not to save', async () => {
  const outcomes: string[] = [];
  const sent: Person[] = [];
  const save = async (person: Person) => {
    sent.push(person);
    return null;
  };
  render(<Example save={save} saved={() => outcomes.push('saved')} failed={() => outcomes.push('failed')} />);
  type('Name', 'Mia');
  await pressSave();
  expect([value('Name'), outcomes]).toEqual(['Mia', []]);
  await pressSave();
  expect(sent).toHaveLength(2);
});

test('shows a toast for a field error whose field was never rendered', async () => {
  const toastError = vi.spyOn(toast, 'error');
  const fields = { email: 'Please enter a valid email address', timezone: 'Please choose a time zone' };
  const invalidInput = new CallError('INVALID_INPUT', { status: 422, data: { fields } });
  render(<Example save={() => Promise.reject(invalidInput)} />);
  type('Name', 'Mia');
  await pressSave();
  expect(screen.getByText('Please enter a valid email address')).toBeDefined();
  expect(toastError.mock.calls).toEqual([['Please choose a time zone']]);
});

test('shows a toast for a field error whose field is no longer rendered', async () => {
  const toastError = vi.spyOn(toast, 'error');
  const invalidInput = new CallError('INVALID_INPUT', { status: 422, data: { fields: { email: 'Please enter a valid email address' } } });
  const save = () => Promise.reject(invalidInput);
  const { rerender } = render(<Example save={save} />);
  type('Name', 'Mia');
  rerender(<Example save={save} hidesEmail />);
  await pressSave();
  expect(toastError.mock.calls).toEqual([['Please enter a valid email address']]);
});
