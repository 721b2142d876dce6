import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineForm, formatDifference } from './form-definition.ts';
import { getDifferences } from './merge-values.ts';

const text = z.string().trim();
const JobForm = z.object({
  title: text.min(1, 'Title is required'),
  note: text.nullish().transform((typed) => typed || null),
  status: z.enum(['pending', 'complete']),
  urgent: z.boolean(),
  staff_id: z.uuid().nullable(),
  hours: text.nullable(),
  items: z.array(
    z.object({
      id: z.string(),
      name: text.min(1, 'Name is required'),
      unit: text.nullable(),
      item_id: z.uuid().nullable(),
      taxed: z.boolean(),
    }),
  ),
});

interface Job {
  title: string;
  note: string | null;
  status: 'pending' | 'complete';
  urgent: boolean;
  staff_id: string | null;
  hours: string | null;
  items: { id: string; name: string; unit: string | null; item_id: string | null; taxed: boolean }[];
}

const jobForm = defineForm({
  schema: JobForm,
  fromRecord: (job: Job) => job,
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
      initial: 'pending',
    },
    urgent: { label: 'Urgent' },
    staff_id: { label: 'Assigned staff', input: 'select' },
    hours: { label: 'Hours', input: 'decimal', initial: '1' },
    items: {
      label: 'Items',
      rows: { name: { label: 'Name' }, unit: { label: 'Unit' }, item_id: { label: 'Item', input: 'select' }, taxed: { label: 'Taxed' } },
    },
  },
});

const job: Job = {
  title: 'Bathroom',
  note: null,
  status: 'complete',
  urgent: true,
  staff_id: null,
  hours: null,
  items: [{ id: 'a', name: 'Tap', unit: null, item_id: null, taxed: true }],
};

it('derives initial values and optional fields from the schema, including rows', () => {
  expect(jobForm.initial).toEqual({ title: '', note: '', status: 'pending', urgent: false, staff_id: '', hours: '1', items: [] });
  const getOptionalNames = (fields: Readonly<Record<string, { optional?: boolean }>>) =>
    Object.keys(fields).filter((name) => fields[name]?.optional);
  expect(getOptionalNames(jobForm.fields)).toEqual(['note', 'hours']);
  expect(getOptionalNames(jobForm.fields.items.rows ?? {})).toEqual(['unit']);
  expect(jobForm.fields.items.rows?.['taxed']?.input).toBe('checkbox');
});

it("does not use the initial value for a stored record's empty field", () => {
  expect(jobForm.toValues(job).hours).toBe('');
  expect(jobForm.schema.parse(jobForm.toValues(job)).hours).toBeNull();
});

it('shows null values as empty strings, including those in rows', () => {
  expect(jobForm.toValues(job)).toEqual({
    ...job,
    note: '',
    staff_id: '',
    hours: '',
    items: [{ id: 'a', name: 'Tap', unit: '', item_id: '', taxed: true }],
  });
});

it('sends an empty string as null where the schema accepts null, and reports errors by field', () => {
  expect(jobForm.schema.parse(jobForm.toValues(job))).toEqual(job);
  const { error } = jobForm.schema.safeParse({
    ...jobForm.toValues(job),
    title: ' ',
    items: [{ id: 'a', name: '', unit: '', item_id: '', taxed: false }],
  });
  expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['title', 'Title is required'],
    ['items.0.name', 'Name is required'],
  ]);
});

it('formats differences using field and choice labels, including those in rows', () => {
  const base = jobForm.toValues(job);
  const yours = { ...base, status: 'pending' as const, items: [] };
  const theirs = {
    ...base,
    status: 'complete' as const,
    urgent: false,
    staff_id: 'ben',
    items: [{ id: 'a', name: 'Mixer tap', unit: 'pc', item_id: '', taxed: false }],
  };
  const formatted = getDifferences({ ...base, status: 'waiting' }, yours, theirs, jobForm.fields).map((difference) =>
    formatDifference(difference, jobForm.fields, { staff_id: [{ value: 'ben', label: 'Ben Otto' }] }),
  );
  expect(formatted).toEqual([
    { label: 'Status', yours: 'Pending', theirs: 'Complete', contested: true },
    { label: 'Urgent', yours: 'Yes', theirs: 'No', contested: false },
    { label: 'Assigned staff', yours: '', theirs: 'Ben Otto', contested: false },
    { label: 'Items', yours: 'Mixer tap removed', theirs: 'Mixer tap, pc, No', contested: true },
  ]);
});
