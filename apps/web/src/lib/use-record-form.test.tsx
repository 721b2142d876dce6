import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { CallError } from './error-messages.ts';
import { defineForm } from './form-definition.ts';
import { announceSessionEnd } from './session-end.ts';
import { useFormRows, useRecordForm } from './use-record-form.ts';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
});

const Item = z.object({ id: z.string(), name: z.string().min(1, 'Name is required') });
const QuoteForm = z.object({ title: z.string(), items: z.array(Item) });
type Quote = z.infer<typeof QuoteForm> & { version: number };

const quoteForm = defineForm({
  schema: QuoteForm,
  fromRecord: (quote: Quote) => quote,
  fields: { title: { label: 'Title' }, items: { label: 'Items', rows: { name: { label: 'Name' } } } },
});

interface EditorProps {
  quote: Quote;
  save: (quote: z.infer<typeof QuoteForm>, version: number) => Promise<Quote>;
}

function QuoteEditor({ quote, save }: EditorProps) {
  const editor = useRecordForm({ definition: quoteForm, record: quote, person: 'mia', save });
  const { rows, add, remove } = useFormRows(editor.form.control, 'items');
  return (
    <form onSubmit={editor.submit}>
      <input aria-label="Title" {...editor.form.register('title')} />
      {rows.map((row, index) => (
        <p key={row.rowKey}>
          <input aria-label={`Item ${index}`} {...editor.form.register(`items.${index}.name`)} />
          <button type="button" onClick={() => remove(index)}>{`Remove ${index}`}</button>
        </p>
      ))}
      <button type="button" onClick={() => add({ name: '' })}>
        Add
      </button>
      <button type="submit">Save</button>
      <button type="button" onClick={editor.keepMine}>
        Keep mine
      </button>
      <output>
        {editor.isComparing
          ? editor
              .getDifferences()
              .map(({ path }) => path.join('/'))
              .join(' ')
          : ''}
      </output>
    </form>
  );
}

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const type = (label: string, value: string) => act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }));
const items = () => screen.getAllByLabelText<HTMLInputElement>(/^Item/).map(({ value }) => value);

const quote: Quote = {
  title: 'Bathroom',
  items: [
    { id: 'a', name: 'Tap' },
    { id: 'b', name: 'Sink' },
  ],
  version: 1,
};

it('keeps the ids of existing rows, creates ids for new ones, and validates each row', async () => {
  const sent: z.infer<typeof QuoteForm>[] = [];
  const save = async (values: z.infer<typeof QuoteForm>, version: number) => {
    sent.push(structuredClone(values));
    return { ...values, version: version + 1 };
  };
  render(<QuoteEditor quote={quote} save={save} />);
  await press('Remove 0');
  await press('Add');
  await press('Save');
  expect(sent).toEqual([]);
  await type('Item 1', 'Mirror');
  await press('Save');
  expect(sent).toEqual([
    {
      title: 'Bathroom',
      items: [
        { id: 'b', name: 'Sink' },
        { id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'Mirror' },
      ],
    },
  ]);
  expect(items()).toEqual(['Sink', 'Mirror']);
});

it("merges two people's rows: mine where I typed, theirs everywhere else", async () => {
  const theirs: Quote = {
    title: 'Bathroom 2',
    items: [
      { id: 'c', name: 'Mirror' },
      { id: 'a', name: 'Mixer tap' },
      { id: 'b', name: 'Double sink' },
    ],
    version: 2,
  };
  const sent: [unknown, number][] = [];
  const save = async (values: z.infer<typeof QuoteForm>, version: number) => {
    sent.push([structuredClone(values), version]);
    if (version < theirs.version) throw new CallError('STALE_VERSION', { status: 409, data: { current: theirs } });
    return { ...values, version: version + 1 };
  };
  render(<QuoteEditor quote={quote} save={save} />);
  await type('Item 1', 'Small sink');
  await press('Save');
  expect(screen.getByRole('status').textContent).toBe('title items/a/name items/b/name items/c');
  await press('Keep mine');
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(items()).toEqual(['Mirror', 'Mixer tap', 'Small sink']);
  expect(sent.at(-1)).toEqual([
    { ...theirs, items: [...theirs.items.slice(0, 2), { id: 'b', name: 'Small sink' }], version: undefined },
    2,
  ]);
});

it('updates the rows of a clean form when someone else saves', async () => {
  const save = () => Promise.reject(new Error('nothing to save'));
  const { rerender } = render(<QuoteEditor quote={quote} save={save} />);
  rerender(<QuoteEditor quote={{ ...quote, items: [{ id: 'b', name: 'Sink' }], version: 2 }} save={save} />);
  expect(items()).toEqual(['Sink']);
});

it('does not let a restored draft overwrite a later save by someone else', async () => {
  const theirs: Quote = { ...quote, title: 'Bathroom 2', items: [{ id: 'a', name: 'Mixer tap' }], version: 2 };
  const sent: number[] = [];
  const save = async (values: z.infer<typeof QuoteForm>, version: number) => {
    sent.push(version);
    if (version < theirs.version) throw new CallError('STALE_VERSION', { status: 409, data: { current: theirs } });
    return { ...values, version: version + 1 };
  };
  render(<QuoteEditor quote={quote} save={save} />);
  await type('Title', 'Kitchen');
  act(() => announceSessionEnd('expired'));
  cleanup();

  render(<QuoteEditor quote={theirs} save={save} />);
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Kitchen'));
  await press('Save');
  expect(sent).toEqual([1]);
  expect(screen.getByRole('status').textContent).toBe('title items/a/name items/b');
  await press('Keep mine');
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(sent).toEqual([1, 2]);
  expect(items()).toEqual(['Mixer tap']);
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Kitchen');
});
