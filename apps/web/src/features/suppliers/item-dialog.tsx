import type { Item, ItemForm } from '@callout/contract/items';
import { currencySymbol } from '@callout/domain/money/currency';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { hasCode } from '../../lib/error-messages.ts';
import { FormFields } from '../../lib/form-fields.tsx';
import { newId } from '../../lib/new-id.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { RecordForm } from '../../lib/record-form.tsx';
import { type RecordEditor, useRecordForm } from '../../lib/use-record-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { HAS_KEYBOARD } from '../../ui/use-browser-state.ts';
import { useCan, useMe, useProfile } from '../company/company.api.ts';
import { ItemPrice } from './item-price.tsx';
import { itemForm, previewPrice } from './supplier-form.ts';
import { itemOptions, useCreateItem, useUpdateItem } from './suppliers.api.ts';

interface ItemDialogProps {
  supplierId: string;
  /** The item to show, 'new' for the form of a new one. */
  item: string | undefined;
  onClose: () => void;
  /** There is no such item: the page shows without it. */
  onMissing: () => void;
}

/** Adds an item, edits one, or shows it to those who may not edit. */
export function ItemDialog({ supplierId, item: wanted, onClose, onMissing }: ItemDialogProps) {
  const mayEdit = useCan('items.edit');
  const item = wanted === 'new' && !mayEdit ? undefined : wanted;
  // Kept while the dialog fades out.
  const [shown, setShown] = useState(item);
  if (item !== undefined && item !== shown) setShown(item);
  const title = shown === 'new' ? 'Add Item' : mayEdit ? 'Edit Item' : 'Item';
  return (
    <Sheet open={item !== undefined} onOpenChange={(open) => open || onClose()} title={title} size="medium" inUrl>
      {shown === 'new' && <ItemEditor supplierId={supplierId} onClose={onClose} />}
      {shown !== undefined && shown !== 'new' && (
        <StoredItem key={shown} id={shown} supplierId={supplierId} onMissing={onMissing}>
          {(stored, gone) =>
            mayEdit ? <ItemEditor supplierId={supplierId} item={stored} gone={gone} onClose={onClose} /> : <ItemDetails item={stored} />
          }
        </StoredItem>
      )}
    </Sheet>
  );
}

interface StoredItemProps extends Pick<ItemDialogProps, 'supplierId' | 'onMissing'> {
  id: string;
  children: (item: Item, gone: boolean) => ReactNode;
}

function StoredItem({ id, supplierId, onMissing, children }: StoredItemProps) {
  const query = useQuery(itemOptions(useQueryClient(), id));
  const { data, error } = query;
  const isUnknown = hasCode(error, 'NOT_FOUND') || hasCode(error, 'INVALID_INPUT');
  const isMissing = data ? data.supplier_id !== supplierId : isUnknown;
  useEffect(() => {
    if (isMissing) onMissing();
  }, [isMissing, onMissing]);
  const skeleton = <SkeletonRows label="Loading item" count={5} className="h-14" />;
  if (isMissing) return skeleton;
  return (
    <QueryView query={query} skeleton={skeleton}>
      {(item) => children(item, isUnknown)}
    </QueryView>
  );
}

interface ItemEditorProps {
  supplierId: string;
  item?: Item;
  /** It was deleted by somebody else. */
  gone?: boolean;
  onClose: () => void;
}

function ItemEditor({ supplierId, item, gone = false, onClose }: ItemEditorProps) {
  const create = useCreateItem();
  const update = useUpdateItem();
  /** Made once per form: sending again after a lost answer is the same item, not a second one. */
  const [id, setId] = useState(newId);
  const editor = useRecordForm({
    definition: itemForm,
    record: item,
    person: useMe().user.id,
    part: `?item=${item?.id ?? 'new'}`,
    newId: [id, setId],
    save: (values, version) =>
      item && !gone
        ? update.mutateAsync({ id: item.id, version, ...values })
        : create.mutateAsync({ id, supplier_id: supplierId, ...values }),
    onSaved: (_item, later) => (Object.keys(later).length === 0 || !item ? onClose() : undefined),
    onFailed: (error) => {
      if (hasCode(error, 'SKU_TAKEN')) editor.form.setError('sku', { message: error.message }, { shouldFocus: true });
    },
  });
  const { form } = editor;
  useEffect(() => {
    // The dialog opened before the item was there, and had nothing else to focus than its Close. A phone would open its keyboard.
    const isWaiting = document.activeElement?.closest('[data-modal]');
    if (isWaiting && window.matchMedia(HAS_KEYBOARD).matches) form.setFocus('name');
  }, [form]);
  const symbol = currencySymbol(useProfile()?.currency);
  const money = { leading: symbol, step: '0.01' };
  const label = gone ? 'Save as new item' : item ? 'Save Changes' : 'Add Item';
  const savingLabel = item ? 'Saving…' : 'Adding…';
  return (
    <>
      {gone && (
        <Banner tone="warn" className="mb-4">
          This item has been deleted. You can save your version as a new item.
        </Banner>
      )}
      <RecordForm
        editor={editor}
        what="this item"
        frame="none"
        gone={gone}
        openedBy={['item', 'new']}
        actions={
          <div data-save-bar="" className="sticky -bottom-5 -mx-5 -mb-5 border-t bg-raised px-5 py-4 md:rounded-b-card">
            <PricePreview editor={editor} />
            <div className="flex flex-wrap gap-2 md:justify-end">
              <Button onClick={onClose} className="max-md:flex-1">
                Cancel
              </Button>
              <Button type="submit" tone="primary" busy={editor.saving} className="max-md:flex-1">
                {editor.saving ? savingLabel : label}
              </Button>
            </div>
          </div>
        }
      >
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:grid-cols-6">
          <FormFields
            editor={editor}
            extras={{
              cost_price: money,
              markup_amount: money,
              fixed_price: money,
              margin_percentage: { trailing: '%', step: '0.1' },
              description: { rows: 3 },
            }}
          />
        </div>
      </RecordForm>
    </>
  );
}

/** What the numbers above come to, while they are typed. */
function PricePreview({ editor }: { editor: RecordEditor<typeof itemForm.initial, ItemForm, Item> }) {
  const values = useWatch({ control: editor.form.control, compute: (typed) => typed });
  const preview = previewPrice(values);
  return (
    <dl className="mb-3 flex flex-wrap gap-x-6 gap-y-1 text-base" aria-live="polite">
      <div className="flex gap-2">
        <dt className="text-ink-3">Selling price</dt>
        <dd className="font-medium">
          {preview ? <ItemPrice item={{ selling_price: preview.price, tax_inclusive: values.tax_inclusive }} /> : '—'}
        </dd>
      </div>
      <div className="flex gap-2">
        <dt className="text-ink-3">Profit margin</dt>
        <dd className="font-medium tabular-nums">{preview?.margin ? `${preview.margin}%` : '—'}</dd>
      </div>
    </dl>
  );
}

function ItemDetails({ item }: { item: Item }) {
  const details: readonly (readonly [string, ReactNode])[] = [
    ['Name', item.name],
    ['SKU', item.sku],
    ['Price', <ItemPrice key="price" item={item} />],
    ['Description', item.description],
  ];
  return (
    <dl className="space-y-3">
      {details.map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <dt className="text-sm text-ink-3">{label}</dt>
              <dd className="text-lg whitespace-pre-line [overflow-wrap:anywhere] lg:text-base">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
