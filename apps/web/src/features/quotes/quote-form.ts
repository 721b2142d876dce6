import { Id } from '@callout/contract/fields';
import type { ItemChoice } from '@callout/contract/items';
import { NewQuote, type QuoteChange, QuoteLineInput, QuoteSectionInput } from '@callout/contract/quote-input';
import type { Quote, SectionTemplate } from '@callout/contract/quotes';
import { DEFAULT_SECTION_NAME, MAX_QUOTE_LINES, MAX_SECTIONS } from '@callout/domain/quotes/quote';
import { z } from 'zod';
import { type DifferenceWords, defineForm } from '../../lib/form-definition.ts';
import type { Difference, FormRow } from '../../lib/merge-values.ts';
import { newId } from '../../lib/new-id.ts';

const { title, description, valid_until, deposit_percentage, deposit_amount } = NewQuote.shape;

/** The items of all sections are one list, so that an item that two people moved and changed is merged as one item. */
const QuoteFields = z.object({
  /** Of a new quote only. */
  customer_id: z.string(),
  title,
  description,
  valid_until,
  deposit_percentage,
  deposit_amount,
  sections: z
    .array(
      z.object({
        id: Id,
        name: QuoteSectionInput.shape.name,
        description: QuoteSectionInput.shape.description,
        always_required: QuoteSectionInput.shape.always_required,
      }),
    )
    .min(1, 'At least one section is required')
    .max(MAX_SECTIONS, `At most ${MAX_SECTIONS} sections`),
  items: z
    .array(
      z.object({
        ...QuoteLineInput.shape,
        section_id: Id,
        /** For the screen: the server keeps its own. */
        sku: z.string().nullable(),
        supplier_name: z.string().nullable(),
        cost_price: z.string().nullable(),
      }),
    )
    .max(MAX_QUOTE_LINES, `At most ${MAX_QUOTE_LINES} items`),
  attachments: z.array(
    z.object({
      id: Id,
      file_name: z.string(),
      file_size: z.string(),
      file_type: z.string(),
      url: z.string(),
      thumbnail_url: z.string().nullable(),
    }),
  ),
});

const formOf = (schema: typeof QuoteFields) =>
  defineForm({
    schema,
    from: (quote: Quote) => ({
      customer_id: quote.customer_id,
      title: quote.title,
      description: quote.description,
      valid_until: quote.valid_until,
      deposit_percentage: quote.deposit_percentage,
      deposit_amount: quote.deposit_amount,
      sections: quote.sections.map((section) => ({
        id: section.id,
        name: section.name,
        description: section.description,
        always_required: section.always_required,
      })),
      items: quote.sections.flatMap(({ id, items }) =>
        items.map((item) => ({
          id: item.id,
          section_id: id,
          supplier_item_id: item.supplier_item_id,
          name: item.name,
          description: item.description,
          tax_inclusive: item.tax_inclusive,
          is_service: item.is_service,
          quantity: item.quantity,
          unit_price: item.unit_price,
          sku: item.sku,
          supplier_name: item.supplier_name,
          cost_price: item.cost_price ?? null,
        })),
      ),
      attachments: quote.attachments.map((file) => ({ ...file, file_size: String(file.file_size) })),
    }),
    fields: {
      customer_id: { label: 'Customer' },
      title: { label: 'Title' },
      description: { label: 'Description', input: 'lines', width: 'full' },
      valid_until: { label: 'Valid until', optional: false },
      deposit_percentage: { label: 'Deposit (percent)', input: 'decimal' },
      deposit_amount: { label: 'Deposit (amount)', input: 'decimal' },
      sections: {
        label: 'Section',
        rows: { name: { label: 'name' }, description: { label: 'description' }, always_required: { label: 'required' } },
      },
      items: {
        label: 'Item',
        rows: {
          name: { label: 'name' },
          description: { label: 'description' },
          quantity: { label: 'quantity', input: 'decimal' },
          unit_price: { label: 'unit price', input: 'decimal' },
          tax_inclusive: { label: 'price includes GST' },
          is_service: { label: 'service' },
          section_id: { label: 'section' },
          supplier_item_id: { label: 'price list item' },
          sku: { label: 'SKU' },
          supplier_name: { label: 'supplier' },
          cost_price: { label: 'cost', input: 'decimal' },
        },
      },
      attachments: {
        label: 'File',
        rows: {
          file_name: { label: 'name' },
          file_size: { label: 'size' },
          file_type: { label: 'type' },
          url: { label: 'address' },
          thumbnail_url: { label: 'preview' },
        },
      },
    },
  });

export const quoteForm = formOf(QuoteFields);
export const newQuoteForm = formOf(QuoteFields.extend({ customer_id: z.string().min(1, 'Customer is required') }));

export type QuoteValues = typeof quoteForm.initial;
export type QuoteFormOutput = z.output<typeof QuoteFields>;
export type SectionRow = QuoteValues['sections'][number];
export type LineRow = QuoteValues['items'][number];
export type FileRow = QuoteValues['attachments'][number];

export const newSection = (name: string): SectionRow => ({ id: newId(), name, description: '', always_required: false });

export const newQuoteValues = (customerId: string): Partial<QuoteValues> => ({
  customer_id: customerId,
  sections: [newSection(DEFAULT_SECTION_NAME)],
});

/** A line that starts from what the price list says today. */
export const lineOfItem = (item: ItemChoice, sectionId: string): LineRow => ({
  id: newId(),
  section_id: sectionId,
  supplier_item_id: item.id,
  name: item.name,
  description: item.description ?? '',
  tax_inclusive: item.tax_inclusive,
  is_service: item.is_service,
  quantity: '1',
  unit_price: item.selling_price,
  sku: item.sku,
  supplier_name: item.supplier.company_name,
  cost_price: item.cost_price ?? '',
});

/** A line from no price list, with the tax of the line above it; its price is still to be typed. */
export const customLine = (name: string, sectionId: string, above?: LineRow): LineRow => ({
  id: newId(),
  section_id: sectionId,
  supplier_item_id: '',
  name,
  description: '',
  tax_inclusive: above?.tax_inclusive ?? true,
  is_service: false,
  quantity: '1',
  unit_price: '',
  sku: '',
  supplier_name: '',
  cost_price: '',
});

export function rowsOfTemplate({ name, description: about, always_required, items }: SectionTemplate): {
  section: SectionRow;
  items: LineRow[];
} {
  const section = { ...newSection(name), description: about ?? '', always_required };
  const lines = items.map((item) => ({
    id: newId(),
    section_id: section.id,
    supplier_item_id: item.supplier_item_id ?? '',
    name: item.name,
    description: item.description ?? '',
    tax_inclusive: item.tax_inclusive,
    is_service: item.is_service,
    quantity: item.quantity,
    unit_price: item.unit_price,
    sku: item.sku ?? '',
    supplier_name: item.supplier_name ?? '',
    cost_price: item.cost_price ?? '',
  }));
  return { section, items: lines };
}

/** What was typed as the server takes it. Items whose section somebody else removed go to the last one. */
export function toQuoteInput({
  customer_id: _customer,
  attachments,
  sections,
  items,
  ...quote
}: QuoteFormOutput): Omit<QuoteChange, 'id' | 'version'> {
  const known = new Set(sections.map(({ id }) => id));
  const last = sections.at(-1)?.id;
  const sectionOf = (id: string) => (known.has(id) ? id : last);
  return {
    ...quote,
    sections: sections.map((section) => ({
      ...section,
      items: items.filter((item) => sectionOf(item.section_id) === section.id).map(toLineInput),
    })),
    attachment_ids: attachments.map(({ id }) => id),
  };
}

const toLineInput = ({
  section_id: _section,
  sku: _sku,
  supplier_name: _supplier,
  cost_price: _cost,
  ...line
}: QuoteFormOutput['items'][number]) => line;

/** One section as a template, or why it cannot be one. */
export function toTemplateInput(
  section: SectionRow,
  items: readonly LineRow[],
): { template: z.output<typeof QuoteSectionInput> } | { error: string } {
  const { data, error } = newQuoteForm.schema.safeParse({
    ...newQuoteForm.initial,
    customer_id: 'any',
    title: 'any',
    sections: [section],
    items: items.filter(({ section_id: id }) => id === section.id),
  });
  if (!data) return { error: error.issues[0]?.message ?? 'Please check this section' };
  const [template] = toQuoteInput(data).sections;
  if (!template) return { error: 'At least one section is required' };
  return { template: { ...template, id: newId(), items: template.items.map((item) => ({ ...item, id: newId() })) } };
}

/** For a duplicated tab with a new quote: another quote, with sections and items of its own. Files belong to one quote. */
export function copyDraftFields(fields: readonly (readonly [string, unknown])[]): [string, unknown][] {
  const { sections, items, ...rest } = Object.fromEntries(fields) as Partial<QuoteValues>;
  const ids = new Map<string, string>();
  const fresh = (id: string) => {
    const made = ids.get(id) ?? newId();
    ids.set(id, made);
    return made;
  };
  const copied = {
    ...rest,
    ...(sections && { sections: sections.map((section) => ({ ...section, id: fresh(section.id) })) }),
    // Without sections of its own in the draft, they stand in the section the form starts with.
    ...(items && { items: items.map((item) => ({ ...item, id: newId(), section_id: fresh(item.section_id) })) }),
  };
  return Object.entries(copied).filter(([name]) => name !== 'attachments');
}

/** What somebody else changed, with the name of the item or section that it is about. */
export function quoteDifferenceWords(
  { path: [list = '', id = '', cell], yours, theirs, contested }: Difference,
  yourValues: QuoteValues,
  theirValues: QuoteValues,
): DifferenceWords | undefined {
  if (list !== 'sections' && list !== 'items' && list !== 'attachments') return undefined;
  const name = nameOf(yourValues[list], id) ?? nameOf(theirValues[list], id) ?? '';
  const words = (value: Difference['yours'], { sections }: QuoteValues): string => {
    if (value === undefined) return 'removed';
    if (typeof value === 'boolean') return value ? 'Yes' : 'No';
    if (typeof value === 'string') return cell === 'section_id' ? (nameOf(sections, value) ?? 'removed') : value;
    return isRow(value) ? rowWords(list, value) : '';
  };
  const field = cell === undefined ? undefined : quoteForm.fields[list].rows?.[cell]?.label;
  return {
    label: field === undefined ? name : `${name}: ${field}`,
    yours: words(yours, yourValues),
    theirs: words(theirs, theirValues),
    contested,
  };
}

const isRow = (value: FormRow | readonly FormRow[]): value is FormRow => !Array.isArray(value);

const textIn = (row: FormRow, field: string) => (typeof row[field] === 'string' ? row[field] : '');
const nameIn = (row: FormRow) => textIn(row, 'name') || textIn(row, 'file_name');

function nameOf(rows: readonly FormRow[], id: string): string | undefined {
  const row = rows.find((other) => other.id === id);
  return row && nameIn(row);
}

const rowWords = (list: string, row: FormRow) =>
  list === 'items' ? `${textIn(row, 'quantity')} × ${nameIn(row)} at ${textIn(row, 'unit_price')}` : nameIn(row);
