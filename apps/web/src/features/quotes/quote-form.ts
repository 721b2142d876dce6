import { Id } from '@callout/contract/fields';
import type { ItemChoice } from '@callout/contract/items';
import { NewQuote, QuoteLineInput, QuoteSectionInput, type UpdateQuoteInput } from '@callout/contract/quote-input';
import type { Quote, SectionTemplate } from '@callout/contract/quotes';
import { DEFAULT_SECTION_NAME, MAX_QUOTE_LINES, MAX_QUOTE_SECTIONS } from '@callout/domain/quotes/quote';
import { isServiceName } from '@callout/domain/suppliers/service-name';
import { z } from 'zod';
import { createId } from '../../lib/create-id.ts';
import { defineForm, type FormattedDifference } from '../../lib/form-definition.ts';
import type { FormDifference, FormRow } from '../../lib/merge-values.ts';

const { title, description, valid_until, deposit_percentage, deposit_amount } = NewQuote.shape;

/** Items are in one flat list, not in their sections. If one person moves an item and another edits it, both changes merge. */
const QuoteFormSchema = z.object({
  /** Sent only if the quote has no customer yet. */
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
    .max(MAX_QUOTE_SECTIONS, `At most ${MAX_QUOTE_SECTIONS} sections`),
  items: z
    .array(
      z.object({
        ...QuoteLineInput.shape,
        section_id: Id,
        /** `sku`, `supplier_name` and `cost_price` are only displayed, never sent to the server. */
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

const defineQuoteForm = (schema: typeof QuoteFormSchema) =>
  defineForm({
    schema,
    fromRecord: (quote: Quote) => ({
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
          url: { label: 'URL' },
          thumbnail_url: { label: 'preview' },
        },
      },
    },
  });

export const quoteForm = defineQuoteForm(QuoteFormSchema);
export const newQuoteForm = defineQuoteForm(QuoteFormSchema.extend({ customer_id: z.string().min(1, 'Customer is required') }));

export type QuoteFormValues = typeof quoteForm.initial;
export type QuoteFormOutput = z.output<typeof QuoteFormSchema>;
export type QuoteSectionRow = QuoteFormValues['sections'][number];
export type QuoteLineRow = QuoteFormValues['items'][number];
export type QuoteFileRow = QuoteFormValues['attachments'][number];

export const createSection = (name: string): QuoteSectionRow => ({ id: createId(), name, description: '', always_required: false });

export const createInitialQuoteValues = (customerId: string): Partial<QuoteFormValues> => ({
  customer_id: customerId,
  sections: [createSection(DEFAULT_SECTION_NAME)],
});

export const createLineFromItem = (item: ItemChoice, sectionId: string): QuoteLineRow => ({
  id: createId(),
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

/** Creates a line that isn't in any price list. The line has no price yet and takes its tax setting from the line above. */
export const createCustomLine = (name: string, sectionId: string, above?: QuoteLineRow): QuoteLineRow => ({
  id: createId(),
  section_id: sectionId,
  supplier_item_id: '',
  name,
  description: '',
  tax_inclusive: above?.tax_inclusive ?? true,
  is_service: isServiceName(name),
  quantity: '1',
  unit_price: '',
  sku: '',
  supplier_name: '',
  cost_price: '',
});

export function createRowsFromTemplate({ name, description: about, always_required, items }: SectionTemplate): {
  section: QuoteSectionRow;
  items: QuoteLineRow[];
} {
  const section = { ...createSection(name), description: about ?? '', always_required };
  const lines = items.map((item) => ({
    id: createId(),
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

/** Converts form values to the server's input. Items from a deleted section go to the last section. */
export function toQuoteInput({
  customer_id: _customer,
  attachments,
  sections,
  items,
  ...quote
}: QuoteFormOutput): Omit<UpdateQuoteInput, 'id' | 'version'> {
  const sectionIds = new Set(sections.map(({ id }) => id));
  const lastSectionId = sections.at(-1)?.id;
  const resolveSectionId = (id: string) => (sectionIds.has(id) ? id : lastSectionId);
  return {
    ...quote,
    sections: sections.map((section) => ({
      ...section,
      items: items.filter((item) => resolveSectionId(item.section_id) === section.id).map(toLineInput),
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

export function toTemplateInput(
  section: QuoteSectionRow,
  items: readonly QuoteLineRow[],
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
  return { template: { ...template, id: createId(), items: template.items.map((item) => ({ ...item, id: createId() })) } };
}

/** Copies a new quote's draft for a duplicated tab. Rows get new ids. Files are left out, because a file belongs to one quote. */
export function copyDraftFields(fields: readonly (readonly [string, unknown])[]): [string, unknown][] {
  const { sections, items, ...rest } = Object.fromEntries(fields) as Partial<QuoteFormValues>;
  const ids = new Map<string, string>();
  const getNewId = (id: string) => {
    const newId = ids.get(id) ?? createId();
    ids.set(id, newId);
    return newId;
  };
  const copied = {
    ...rest,
    ...(sections && { sections: sections.map((section) => ({ ...section, id: getNewId(section.id) })) }),
    // If the draft has no sections, the new section ids match none, so the items go to the form's initial section.
    ...(items && { items: items.map((item) => ({ ...item, id: createId(), section_id: getNewId(item.section_id) })) }),
  };
  return Object.entries(copied).filter(([name]) => name !== 'attachments');
}

/** Describes a conflicting change, labeled with the name of its section, item or file. */
export function formatQuoteDifference(
  { path: [list = '', id = '', cell], yours, theirs, contested }: FormDifference,
  yourValues: QuoteFormValues,
  theirValues: QuoteFormValues,
): FormattedDifference | undefined {
  if (list !== 'sections' && list !== 'items' && list !== 'attachments') return undefined;
  const name = findRowName(yourValues[list], id) ?? findRowName(theirValues[list], id) ?? '';
  const formatValue = (value: FormDifference['yours'], { sections }: QuoteFormValues): string => {
    if (value === undefined) return 'removed';
    if (typeof value === 'boolean') return value ? 'Yes' : 'No';
    if (typeof value === 'string') return cell === 'section_id' ? (findRowName(sections, value) ?? 'removed') : value;
    return isRow(value) ? formatRow(list, value) : '';
  };
  const field = cell === undefined ? undefined : quoteForm.fields[list].rows?.[cell]?.label;
  return {
    label: field === undefined ? name : `${name}: ${field}`,
    yours: formatValue(yours, yourValues),
    theirs: formatValue(theirs, theirValues),
    contested,
  };
}

const isRow = (value: FormRow | readonly FormRow[]): value is FormRow => !Array.isArray(value);

const getRowText = (row: FormRow, field: string) => (typeof row[field] === 'string' ? row[field] : '');
const getRowName = (row: FormRow) => getRowText(row, 'name') || getRowText(row, 'file_name');

function findRowName(rows: readonly FormRow[], id: string): string | undefined {
  const row = rows.find((other) => other.id === id);
  return row && getRowName(row);
}

const formatRow = (list: string, row: FormRow) =>
  list === 'items' ? `${getRowText(row, 'quantity')} × ${getRowName(row)} at ${getRowText(row, 'unit_price')}` : getRowName(row);
