import { call } from '@callout/contract/call';
import { Id, requiredText } from '@callout/contract/fields';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeCall, everyCall } from './every-call.ts';
import { acceptedForeignIds, foreignIdFieldsOf, type Input, inputFieldsOf, replaceField } from './input-fields.ts';

const FOREIGN = '018f0000-0000-7000-8000-00000000000f';
const OWN = '018f0000-0000-7000-8000-000000000001';

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

const quoteCall = describeCall(
  'quotes.save',
  call('quotes.edit')
    .route({ method: 'PUT', path: '/quotes/{quote_id}' })
    .input(Quote.safeExtend({ quote_id: Id })),
);

const sample: Input = {
  quote_id: OWN,
  id: OWN,
  customer_id: OWN,
  job_id: OWN,
  staff_ids: [OWN],
  sections: [
    {
      id: OWN,
      lines: [
        { id: OWN, title: 'Tap', supplier_item_id: OWN },
        { id: OWN, title: 'Pipe', supplier_item_id: null },
      ],
    },
  ],
  payer: { kind: 'customer', contact_id: OWN },
  note: '',
};

const NAMING = ['customer_id', 'job_id', 'staff_ids.*', 'sections.*.lines.*.supplier_item_id', 'payer.contact_id'];

describe('the foreign id guard', () => {
  it('finds every field that names another record, however deep', () => {
    expect(foreignIdFieldsOf(quoteCall).map((field) => field.join('.'))).toEqual(NAMING);
  });

  it('notices a call that accepts them', async () => {
    const takesAll = () => Promise.resolve({ statusCode: 200 });
    expect(await acceptedForeignIds(quoteCall, sample, [FOREIGN], takesAll)).toEqual(NAMING.map((field) => `${field} (200)`));
  });

  it('notices a call that checks all of them but one', async () => {
    const forgetsItems = (input: Input) => {
      const { sections: _, ...looked } = input;
      return Promise.resolve({ statusCode: JSON.stringify(looked).includes(FOREIGN) ? 404 : 200 });
    };
    expect(await acceptedForeignIds(quoteCall, sample, [FOREIGN], forgetsItems)).toEqual(['sections.*.lines.*.supplier_item_id (200)']);
  });

  it('passes a call that refuses them', async () => {
    const refuses = (input: Input) => Promise.resolve({ statusCode: JSON.stringify(input).includes(FOREIGN) ? 422 : 200 });
    expect(await acceptedForeignIds(quoteCall, sample, [FOREIGN], refuses)).toEqual([]);
  });

  it('fails for a sample with no place for an id', async () => {
    const send = () => Promise.resolve({ statusCode: 404 });
    const { sections: _, ...without } = sample;
    await expect(acceptedForeignIds(quoteCall, without, [FOREIGN], send)).rejects.toThrow(
      "nothing to put '*.lines.*.supplier_item_id' into",
    );
  });

  it('covers the calls of the product', () => {
    const covered = everyCall.flatMap((product) => foreignIdFieldsOf(product).map((field) => `${product.name} ${field.join('.')}`));
    expect(covered).toContain('staff.update color_id');
  });
});

it('replaces a field in place, and nothing else', () => {
  expect(replaceField(sample, ['sections', '*', 'lines', '*', 'title'], 'x')).toEqual({
    ...sample,
    sections: [
      {
        id: OWN,
        lines: [
          { id: OWN, title: 'x', supplier_item_id: OWN },
          { id: OWN, title: 'Pipe', supplier_item_id: null },
        ],
      },
    ],
  });
  expect(replaceField({ rates: { am: 1, pm: 2 } }, ['rates', '*'], 9)).toEqual({ rates: { am: 9, pm: 2 } });
});

it('puts hostile values into every field, including lists within lists', () => {
  const fields = inputFieldsOf(quoteCall).map((field) => field.join('.'));
  expect(fields).toEqual(expect.arrayContaining(['note', 'sections', 'sections.*', 'sections.*.lines.*.title', 'payer.kind']));
  expect(new Set(fields).size).toBe(fields.length);
});
