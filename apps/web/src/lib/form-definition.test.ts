import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineForm, differenceWords } from './form-definition.ts';
import { differences } from './merge-values.ts';

const text = z.string().trim();
const JobForm = z.object({
  title: text.min(1, 'Title is required'),
  note: text.nullish().transform((typed) => typed || null),
  status: z.enum(['pending', 'complete']),
  urgent: z.boolean(),
  staff_id: z.uuid().nullable(),
  items: z.array(z.object({ id: z.string(), name: text.min(1, 'Name is required'), unit: text.nullable(), taxed: z.boolean() })),
});

interface Job {
  title: string;
  note: string | null;
  status: 'pending' | 'complete';
  urgent: boolean;
  staff_id: string | null;
  items: { id: string; name: string; unit: string | null; taxed: boolean }[];
}

const jobForm = defineForm({
  schema: JobForm,
  from: (job: Job) => job,
  fields: {
    title: { label: 'Title' },
    note: { label: 'Note', input: 'lines' },
    status: {
      label: 'Status',
      input: 'select',
      choices: [
        { value: 'pending', label: 'Pending' },
        { value: 'complete', label: 'Complete' },
      ],
      empty: 'pending',
    },
    urgent: { label: 'Urgent' },
    staff_id: { label: 'Assigned staff', input: 'select' },
    items: { label: 'Items', rows: { name: { label: 'Name' }, unit: { label: 'Unit' }, taxed: { label: 'Taxed' } } },
  },
});

const job: Job = {
  title: 'Bathroom',
  note: null,
  status: 'complete',
  urgent: true,
  staff_id: null,
  items: [{ id: 'a', name: 'Tap', unit: null, taxed: true }],
};

it('knows what an empty form holds, and which texts may stay empty', () => {
  expect(jobForm.empty).toEqual({ title: '', note: '', status: 'pending', urgent: false, staff_id: '', items: [] });
  const optional = jobForm.names.filter((name) => jobForm.fields[name].optional);
  expect(optional).toEqual(['note']);
});

it('shows what is absent in a record as empty text, also in its rows', () => {
  expect(jobForm.valuesOf(job)).toEqual({ ...job, note: '', staff_id: '', items: [{ id: 'a', name: 'Tap', unit: '', taxed: true }] });
});

it('sends empty text as nothing where the schema knows nothing, and says what is wrong at its field', () => {
  expect(jobForm.schema.parse(jobForm.valuesOf(job))).toMatchObject({ note: null, staff_id: null });
  const { error } = jobForm.schema.safeParse({
    ...jobForm.valuesOf(job),
    title: ' ',
    items: [{ id: 'a', name: '', unit: '', taxed: false }],
  });
  expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['title', 'Title is required'],
    ['items.0.name', 'Name is required'],
  ]);
});

it('names a difference in words, also in a row', () => {
  const base = jobForm.valuesOf(job);
  const yours = { ...base, status: 'pending' as const, items: [] };
  const theirs = {
    ...base,
    status: 'complete' as const,
    urgent: false,
    staff_id: 'ben',
    items: [{ id: 'a', name: 'Mixer tap', unit: 'pc', taxed: false }],
  };
  const words = differences({ ...base, status: 'waiting' }, yours, theirs, jobForm.fields).map((difference) =>
    differenceWords(difference, jobForm.fields, { staff_id: [{ value: 'ben', label: 'Ben Otto' }] }),
  );
  expect(words).toEqual([
    { label: 'Status', yours: 'Pending', theirs: 'Complete', contested: true },
    { label: 'Urgent', yours: 'Yes', theirs: 'No', contested: false },
    { label: 'Assigned staff', yours: '', theirs: 'Ben Otto', contested: false },
    { label: 'Items', yours: 'removed', theirs: 'Mixer tap, pc, No', contested: true },
  ]);
});
