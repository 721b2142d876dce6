import type { Item, ItemInput } from '@callout/contract/items';
import { getCurrencySymbol } from '@callout/domain/money/currency';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { createId } from '../../lib/create-id.ts';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { FormFields } from '../../lib/form-fields.tsx';
import { QueryView } from '../../lib/query-view.tsx';
import { RecordForm } from '../../lib/record-form.tsx';
import { type RecordEditor, useRecordForm } from '../../lib/use-record-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { FINE_POINTER_QUERY } from '../../ui/use-browser-state.ts';
import { useDialogSubject } from '../../ui/use-dialog-subject.ts';
import { useCan, useMe, useProfile } from '../company/company.api.ts';
import { ItemPrice } from './item-price.tsx';
import { calculatePricePreview, itemForm } from './supplier-form.ts';
import { itemQueryOptions, useCreateItem, useUpdateItem } from './suppliers.api.ts';

interface ItemDialogProps {
  supplierId: string;
  /** Id of the item to open, 'new' for an empty form, or undefined while closed. */
  itemId: string | undefined;
  onClose: () => void;
  /** Called if the item doesn't exist, so that the route can remove its id from the URL. */
  onMissing: () => void;
}

export function ItemDialog({ supplierId, itemId: requestedId, onClose, onMissing }: ItemDialogProps) {
  const canEdit = useCan('items.edit');
  const itemId = requestedId === 'new' && !canEdit ? undefined : requestedId;
  const { subject: displayedId } = useDialogSubject(itemId);
  const title = displayedId === 'new' ? 'Add Item' : canEdit ? 'Edit Item' : 'Item';
  return (
    <Sheet open={itemId !== undefined} onOpenChange={(open) => open || onClose()} title={title} size="medium" isOpenedByUrl>
      {displayedId === 'new' && <ItemEditor supplierId={supplierId} onClose={onClose} />}
      {displayedId !== undefined && displayedId !== 'new' && (
        <ItemLoader key={displayedId} id={displayedId} supplierId={supplierId} onMissing={onMissing}>
          {(stored, isDeleted) =>
            canEdit ? (
              <ItemEditor supplierId={supplierId} item={stored} isDeleted={isDeleted} onClose={onClose} />
            ) : (
              <ItemDetails item={stored} />
            )
          }
        </ItemLoader>
      )}
    </Sheet>
  );
}

interface ItemLoaderProps extends Pick<ItemDialogProps, 'supplierId' | 'onMissing'> {
  id: string;
  children: (item: Item, isDeleted: boolean) => ReactNode;
}

function ItemLoader({ id, supplierId, onMissing, children }: ItemLoaderProps) {
  const query = useQuery(itemQueryOptions(useQueryClient(), id));
  const { data, error } = query;
  const isNotFound = hasErrorCode(error, 'NOT_FOUND') || hasErrorCode(error, 'INVALID_INPUT');
  const isMissing = data ? data.supplier_id !== supplierId : isNotFound;
  useEffect(() => {
    if (isMissing) onMissing();
  }, [isMissing, onMissing]);
  const skeleton = <SkeletonRows label="Loading item" count={5} className="h-14" />;
  if (isMissing) return skeleton;
  return (
    <QueryView query={query} skeleton={skeleton}>
      {(item) => children(item, isNotFound)}
    </QueryView>
  );
}

interface ItemEditorProps {
  supplierId: string;
  item?: Item;
  isDeleted?: boolean;
  onClose: () => void;
}

function ItemEditor({ supplierId, item, isDeleted = false, onClose }: ItemEditorProps) {
  const create = useCreateItem();
  const update = useUpdateItem();
  /** Created once per form, so that a retry after a lost response doesn't add a second item. */
  const [id, setId] = useState(createId);
  const editor = useRecordForm({
    definition: itemForm,
    record: item,
    person: useMe().user.id,
    part: `?item=${item?.id ?? 'new'}`,
    newRecordId: [id, setId],
    save: (values, version) =>
      item && !isDeleted
        ? update.mutateAsync({ id: item.id, version, ...values })
        : create.mutateAsync({ id, supplier_id: supplierId, ...values }),
    onSaved: (_item, unsavedEdits) => (Object.keys(unsavedEdits).length === 0 || !item ? onClose() : undefined),
    onFailed: (error) => {
      if (hasErrorCode(error, 'SKU_TAKEN')) editor.form.setError('sku', { message: error.message }, { shouldFocus: true });
    },
  });
  const { form } = editor;
  useEffect(() => {
    // Close has focus while the item loads. Focus the name now, but not on touch devices, where focusing opens the keyboard.
    const isFocusInDialog = document.activeElement?.closest('[data-modal]');
    if (isFocusInDialog && window.matchMedia(FINE_POINTER_QUERY).matches) form.setFocus('name');
  }, [form]);
  const currencySymbol = getCurrencySymbol(useProfile()?.currency);
  const moneyProps = { leading: currencySymbol, step: '0.01' };
  const submitLabel = isDeleted ? 'Save as new item' : item ? 'Save Changes' : 'Add Item';
  const savingLabel = item ? 'Saving…' : 'Adding…';
  return (
    <>
      {isDeleted && (
        <Banner tone="warn" className="mb-4">
          This item has been deleted. You can save your version as a new item.
        </Banner>
      )}
      <RecordForm
        editor={editor}
        recordLabel="this item"
        frame="none"
        isDeleted={isDeleted}
        openedBy={['item', 'new']}
        actions={
          <div data-save-bar="" className="sticky -bottom-5 -mx-5 -mb-5 border-t bg-raised px-5 py-4 md:rounded-b-card">
            <PricePreview editor={editor} />
            <div className="flex flex-wrap gap-2 md:justify-end">
              <Button onClick={onClose} className="max-md:flex-1">
                Cancel
              </Button>
              <Button type="submit" tone="primary" busy={editor.saving} className="max-md:flex-1">
                {editor.saving ? savingLabel : submitLabel}
              </Button>
            </div>
          </div>
        }
      >
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:grid-cols-6">
          <FormFields
            editor={editor}
            extras={{
              cost_price: moneyProps,
              markup_amount: moneyProps,
              fixed_price: moneyProps,
              margin_percentage: { trailing: '%', step: '0.1' },
              description: { rows: 3 },
            }}
          />
        </div>
      </RecordForm>
    </>
  );
}

function PricePreview({ editor }: { editor: RecordEditor<typeof itemForm.initial, ItemInput, Item> }) {
  const values = useWatch({ control: editor.form.control, compute: (typed) => typed });
  const preview = calculatePricePreview(values);
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
