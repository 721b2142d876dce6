import type { ItemChoice } from '@callout/contract/items';
import type { Job } from '@callout/contract/jobs';
import { isServiceName } from '@callout/domain/suppliers/service-name';
import { pluralize } from '@callout/domain/text/count-format';
import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { createId } from '../../lib/create-id.ts';
import { useServerForm } from '../../lib/use-server-form.ts';
import { Button } from '../../ui/button.tsx';
import { SwitchField } from '../../ui/choice-fields.tsx';
import { normalizeDecimal } from '../../ui/decimal-string.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { ResponsiveTabs } from '../../ui/responsive-tabs.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { UnsavedChangesPrompt } from '../../ui/unsaved-changes-prompt.tsx';
import { FINE_POINTER_QUERY } from '../../ui/use-browser-state.ts';
import { ItemPicker } from './item-picker.tsx';
import { LineTotal, QuantityField, TAX_CHOICES, TypedLineSchema, UnitPriceField } from './line-form.tsx';
import { useAddLines } from './use-add-lines.tsx';

interface AddItemContentProps {
  job: Job;
  onClose: () => void;
}

/** Adds items from the price list, one with a click or several at once, or lines typed by hand. */
export function AddItemContent({ job, onClose }: AddItemContentProps) {
  const [tab, setTab] = useState<'list' | 'typed'>('list');
  const [typedName, setTypedName] = useState('');
  const typeOwn = (name: string) => {
    setTypedName(name);
    setTab('typed');
  };
  return (
    <ResponsiveTabs
      label="Where the item comes from"
      tabsOnPhones
      active={tab}
      onChange={setTab}
      tabs={[
        {
          id: 'list',
          label: 'Price list',
          content: <PriceListTab job={job} onTypeOwn={typeOwn} onClose={onClose} />,
        },
        { id: 'typed', label: 'Type your own', content: <TypedLineForm key={typedName} job={job} name={typedName} /> },
      ]}
    />
  );
}

interface PriceListTabProps extends AddItemContentProps {
  onTypeOwn: (name: string) => void;
}

function PriceListTab({ job, onTypeOwn, onClose }: PriceListTabProps) {
  const { addLines, busy, note, dialogs } = useAddLines(job);
  const [isSelecting, setSelecting] = useState(false);
  const [picked, setPicked] = useState<readonly ItemChoice[]>([]);
  /** Line ids by item, so that a retry after a lost response doesn't add an item twice. */
  const [ids] = useState(() => new Map<string, string>());
  const addItems = (items: readonly ItemChoice[]) => {
    const lines = items.map((item) => {
      const id = ids.get(item.id) ?? createId();
      ids.set(item.id, id);
      return { id, supplier_item_id: item.id };
    });
    addLines(lines).then(
      (saved) => saved && onClose(),
      () => undefined,
    );
  };
  const toggle = (item: ItemChoice) =>
    setPicked(picked.some(({ id }) => id === item.id) ? picked.filter(({ id }) => id !== item.id) : [...picked, item]);
  return (
    <>
      {note && <p className="mb-3 text-base text-ink-2">{note}</p>}
      <ItemPicker
        height={300}
        busy={busy}
        onTypeOwn={onTypeOwn}
        onPick={(item) => (isSelecting ? toggle(item) : addItems([item]))}
        pickedIds={picked.map(({ id }) => id)}
      />
      <div className="mt-3 flex flex-wrap items-center justify-between gap-2 border-t pt-3">
        <SwitchField
          label="Select several"
          checked={isSelecting}
          onChange={({ target }) => {
            setSelecting(target.checked);
            setPicked([]);
          }}
        />
        {isSelecting ? (
          <Button tone="primary" disabled={picked.length === 0} busy={busy} onClick={() => addItems(picked)}>
            {picked.length === 0 ? 'Add items' : `Add ${pluralize(picked.length, 'item')}`}
          </Button>
        ) : (
          <LinkButton to="/jobs/$id/items/add" params={{ id: job.id }} tone="quiet">
            Add with quantity and price
          </LinkButton>
        )}
      </div>
      {dialogs}
    </>
  );
}

/** Enter adds the line and empties the form for the next one, so that several lines can be typed without the mouse. */
function TypedLineForm({ job, name }: { job: Job; name: string }) {
  const { addLines, note, dialogs } = useAddLines(job);
  /** Replaced after each line. A retry after a lost response keeps it, so that no line is added twice. */
  const [id, setId] = useState(createId);
  const [addedCount, setAddedCount] = useState(0);
  const empty = { name: '', quantity: '1', unit_price: '', tax: (job.items.at(-1)?.tax_inclusive ?? true) ? 'inc' : 'exc' } as const;
  const { form, submit, saving, isDirty } = useServerForm({
    schema: TypedLineSchema,
    defaultValues: { ...empty, name },
    save: ({ tax, ...line }) => addLines([{ id, ...line, tax_inclusive: tax === 'inc', is_service: isServiceName(line.name) }]),
    onSaved: (_job, nextLine) => {
      const next = { ...empty, tax: form.getValues('tax') };
      form.reset(next);
      setId(createId());
      setAddedCount(addedCount + 1);
      // Values typed while this line was being saved belong to the next one.
      if (Object.keys(nextLine).length > 0) form.reset({ ...next, ...nextLine }, { keepDefaultValues: true });
    },
  });
  useEffect(() => {
    // In an effect, because `reset` forgets the fields until the next render.
    if (addedCount > 0 && !form.formState.isDirty) form.setFocus('name');
  }, [form, addedCount]);
  useEffect(() => {
    if (window.matchMedia(FINE_POINTER_QUERY).matches) form.setFocus(name === '' ? 'name' : 'unit_price');
  }, [form, name]);
  const [quantity, unit_price, tax] = useWatch({ control: form.control, name: ['quantity', 'unit_price', 'tax'] });
  const getError = (field: 'name' | 'quantity' | 'unit_price') => form.getFieldState(field, form.formState).error?.message;
  return (
    <form noValidate onSubmit={submit} className="grid gap-4 sm:grid-cols-6">
      <UnsavedChangesPrompt isDirty={isDirty} saving={saving} isInSheet />
      {note && <p className="text-base text-ink-2 sm:col-span-6">{note}</p>}
      <TextField
        {...form.register('name')}
        label="Name"
        autoComplete="off"
        maxLength={200}
        error={getError('name')}
        className="sm:col-span-6"
      />
      <QuantityField {...form.register('quantity')} error={getError('quantity')} className="sm:col-span-2" />
      <UnitPriceField
        currency={job.currency}
        {...form.register('unit_price', { setValueAs: normalizeDecimal })}
        error={getError('unit_price')}
        className="sm:col-span-2"
      />
      <SelectField {...form.register('tax')} label="GST" choices={TAX_CHOICES} className="sm:col-span-2" />
      <div className="sm:col-span-6">
        <LineTotal currency={job.currency} quantity={quantity} unit_price={unit_price} taxInclusive={tax === 'inc'} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 sm:col-span-6">
        <p role="status" className="text-sm text-ink-3">
          {addedCount === 0
            ? 'Enter adds the item and lets you type the next one.'
            : `${pluralize(addedCount, 'item')} added. Type the next one.`}
        </p>
        <Button type="submit" tone="primary" busy={saving} className="ml-auto">
          {saving ? 'Adding…' : 'Add Item'}
        </Button>
      </div>
      {dialogs}
    </form>
  );
}
