import { defineCall } from '@callout/contract/call';
import { Id, requiredText } from '@callout/contract/fields';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CONTRACT_CALLS, toContractCall } from './contract-calls.ts';
import { type CallInput, findAcceptedForeignIds, listForeignIdFields, listInputFields, replaceField } from './input-fields.ts';

const FOREIGN_ID = '018f0000-0000-7000-8000-00000000000f';
const OWN_ID = '018f0000-0000-7000-8000-000000000001';

const Line = z.object({ id: Id, title: requiredText('Title', 100), supplier_item_id: Id.nullable() });
const Quote = z
  .object({
    id: Id,
    customer_id: Id,
    job_id: Id.optional(),
    staff_ids: z.array(Id).max(20).default([]),
    sections: z.array(z.object({ id: Id, lines: z.array(Line) })),
    payer: z.union([z.object({ kind: z.literal('customer'), contact_id: Id }), z.object({ kind: z.literal('nobody') })]),
    note: z.string(),
  })
  .refine(() => true);

const quoteCall = toContractCall(
  'quotes.save',
  defineCall('quotes.edit')
    .route({ method: 'PUT', path: '/quotes/{quote_id}' })
    .input(Quote.safeExtend({ quote_id: Id })),
);

const sample: CallInput = {
  quote_id: OWN_ID,
  id: OWN_ID,
  customer_id: OWN_ID,
  job_id: OWN_ID,
  staff_ids: [OWN_ID],
  sections: [
    {
      id: OWN_ID,
      lines: [
        { id: OWN_ID, title: 'Tap', supplier_item_id: OWN_ID },
        { id: OWN_ID, title: 'Pipe', supplier_item_id: null },
      ],
    },
  ],
  payer: { kind: 'customer', contact_id: OWN_ID },
  note: '',
};

const FOREIGN_ID_FIELDS = ['customer_id', 'job_id', 'staff_ids.*', 'sections.*.lines.*.supplier_item_id', 'payer.contact_id'];

describe('the check for foreign ids', () => {
  it('finds every field that refers to another record, including nested ones', () => {
    expect(listForeignIdFields(quoteCall).map((field) => field.join('.'))).toEqual(FOREIGN_ID_FIELDS);
  });

  it('reports every field of a call that accepts foreign ids', async () => {
    const acceptAll = () => Promise.resolve({ statusCode: 200 });
    expect(await findAcceptedForeignIds(quoteCall, sample, [FOREIGN_ID], acceptAll)).toEqual(
      FOREIGN_ID_FIELDS.map((field) => `${field} (200)`),
    );
  });

  it('reports the only field in which a call accepts foreign ids', async () => {
    const acceptForeignItems = (input: CallInput) => {
      const { sections: _, ...checked } = input;
      return Promise.resolve({ statusCode: JSON.stringify(checked).includes(FOREIGN_ID) ? 404 : 200 });
    };
    expect(await findAcceptedForeignIds(quoteCall, sample, [FOREIGN_ID], acceptForeignItems)).toEqual([
      'sections.*.lines.*.supplier_item_id (200)',
    ]);
  });

  it('reports nothing for a call that rejects foreign ids', async () => {
    const rejectForeignIds = (input: CallInput) => Promise.resolve({ statusCode: JSON.stringify(input).includes(FOREIGN_ID) ? 422 : 200 });
    expect(await findAcceptedForeignIds(quoteCall, sample, [FOREIGN_ID], rejectForeignIds)).toEqual([]);
  });

  it('throws if the sample input has no entry that could contain the id field', async () => {
    const send = () => Promise.resolve({ statusCode: 404 });
    const { sections: _, ...incomplete } = sample;
    await expect(findAcceptedForeignIds(quoteCall, incomplete, [FOREIGN_ID], send)).rejects.toThrow(
      "no parent for '*.lines.*.supplier_item_id'",
    );
  });

  it('covers the calls in the contract', () => {
    const covered = CONTRACT_CALLS.flatMap((entry) => listForeignIdFields(entry).map((field) => `${entry.name} ${field.join('.')}`));
    expect(covered).toContain('staff.update color_id');
  });
});

it('replaceField changes only the field at the given path', () => {
  expect(replaceField(sample, ['sections', '*', 'lines', '*', 'title'], 'x')).toEqual({
    ...sample,
    sections: [
      {
        id: OWN_ID,
        lines: [
          { id: OWN_ID, title: 'x', supplier_item_id: OWN_ID },
          { id: OWN_ID, title: 'Pipe', supplier_item_id: null },
        ],
      },
    ],
  });
  expect(replaceField({ rates: { am: 1, pm: 2 } }, ['rates', '*'], 9)).toEqual({ rates: { am: 9, pm: 2 } });
});

it('listInputFields returns every field once, including lists within lists', () => {
  const fields = listInputFields(quoteCall).map((field) => field.join('.'));
  expect(fields).toEqual(expect.arrayContaining(['note', 'sections', 'sections.*', 'sections.*.lines.*.title', 'payer.kind']));
  expect(new Set(fields).size).toBe(fields.length);
});
