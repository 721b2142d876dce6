import type { CustomerRow } from '@callout/contract/customers';
import { customerLabel } from '@callout/domain/customers/customer';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { centralMessage } from '../../lib/error-messages.ts';
import { newId } from '../../lib/new-id.ts';
import { RecordForm } from '../../lib/record-form.tsx';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { Button } from '../../ui/button.tsx';
import { FormActions } from '../../ui/card.tsx';
import { useDebounced } from '../../ui/debounced-search-field.tsx';
import { ConfirmDialog, Sheet } from '../../ui/dialog.tsx';
import { FieldError, useFieldIds } from '../../ui/field.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { HAS_KEYBOARD } from '../../ui/use-browser-state.ts';
import { useMe } from '../company/company.api.ts';
import { CustomerFields } from '../customers/customer-fields.tsx';
import { customerFilter } from '../customers/customer-filter.ts';
import { customerForm } from '../customers/customer-form.ts';
import { customerOptions, customersListOptions, knownCustomer, useCreateCustomer } from '../customers/customers.api.ts';

const PAUSE_MS = 250;
const SHOWN = 6;

interface CustomerPickerProps {
  /** Empty while none is chosen. */
  customerId: string;
  onPick: (id: string) => void;
  /** Opens the form of a new customer with the name that was not found. */
  onCreate: (name: string) => void;
  /** It came with the link, and stays. */
  isFixed: boolean;
  error: string | undefined;
}

export function CustomerPicker({ customerId, onPick, isFixed, ...search }: CustomerPickerProps) {
  if (customerId) return <ChosenCustomer id={customerId} onChange={isFixed ? undefined : () => onPick('')} />;
  return <CustomerSearch onPick={onPick} {...search} />;
}

/** Finds an active customer by name, email or phone; Enter picks the first one found. */
function CustomerSearch({ onPick, onCreate, error }: Pick<CustomerPickerProps, 'onPick' | 'onCreate' | 'error'>) {
  const [typed, setTyped] = useState('');
  const { id } = useFieldIds(undefined, undefined, error);
  const picker = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (window.matchMedia(HAS_KEYBOARD).matches) picker.current?.querySelector('input')?.focus();
  }, []);
  const term = typed.trim();
  const search = useDebounced(term, PAUSE_MS);
  const list = useInfiniteQuery(customersListOptions(customerFilter.read({ search, status: 'active' })));
  const rows = list.data?.pages[0]?.rows ?? [];
  const pickFirst = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Enter would send the whole form.
    event.preventDefault();
    if (rows[0] && term !== '' && term === search && !list.isPlaceholderData) onPick(rows[0].id);
  };
  return (
    <div ref={picker} className="min-w-0 sm:col-span-6">
      <p className="mb-1.5 text-sm font-medium">Customer</p>
      <SearchField
        label="Search customers"
        placeholder="Search by name, email or phone"
        value={typed}
        onChange={setTyped}
        onKeyDown={pickFirst}
      />
      {list.error ? (
        <p className="mt-2 text-base text-ink-2">{centralMessage(list.error)}</p>
      ) : (
        <FoundCustomers rows={rows} isFound={!list.data || rows.length > 0} onPick={onPick} />
      )}
      <Button className="mt-2" onClick={() => onCreate(term)}>
        <UserPlus aria-hidden="true" />
        New Customer
      </Button>
      {error ? <FieldError id={id} error={error} /> : <p className="mt-1.5 text-sm text-ink-3">Customer is required</p>}
    </div>
  );
}

function FoundCustomers({ rows, isFound, onPick }: { rows: readonly CustomerRow[]; isFound: boolean; onPick: (id: string) => void }) {
  if (!isFound) return <p className="mt-2 text-base text-ink-2">No customers found</p>;
  return (
    <ul aria-label="Customers" className="mt-2 divide-y rounded-control ring-1 ring-line ring-inset">
      {rows.slice(0, SHOWN).map((customer) => (
        <li key={customer.id}>
          <button
            type="button"
            onClick={() => onPick(customer.id)}
            className="flex min-h-11 w-full items-center justify-between gap-3 rounded-control px-3 py-1.5 text-left text-base hover:bg-sunken"
          >
            <span className="min-w-0 truncate font-medium">{customerLabel(customer)}</span>
            <span className="min-w-0 truncate text-sm text-ink-3">{detailOf(customer)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const detailOf = ({ company_name: company, name, phone }: CustomerRow) => (company ? `${name} · ${phone}` : phone);

function ChosenCustomer({ id, onChange }: { id: string; onChange: (() => void) | undefined }) {
  const queryClient = useQueryClient();
  const { data } = useQuery(customerOptions(id));
  const customer = data ?? knownCustomer(queryClient, id);
  return (
    <div className="flex min-w-0 items-center justify-between gap-3 rounded-control bg-sunken px-3.5 py-2.5 sm:col-span-6">
      <div className="min-w-0">
        <p className="text-sm text-ink-3">Customer</p>
        <p className="truncate text-base font-medium">{customer ? customerLabel(customer) : 'Loading...'}</p>
        {customer && <p className="truncate text-sm text-ink-2">{`${customer.phone} · ${customer.address}`}</p>}
      </div>
      {onChange && <Button onClick={onChange}>Change</Button>}
    </div>
  );
}

interface NewCustomerSheetProps {
  /** What the search did not find; undefined while the sheet is closed. */
  name: string | undefined;
  onClose: () => void;
  onCreated: (id: string) => void;
}

/** A new customer without leaving the job's form. Closing it asks first when something was typed. */
export function NewCustomerSheet({ name, onClose, onCreated }: NewCustomerSheetProps) {
  const isTyped = useRef<() => boolean>(null);
  const [asking, setAsking] = useState(false);
  const close = () => (isTyped.current?.() ? setAsking(true) : onClose());
  return (
    <Sheet open={name !== undefined} onOpenChange={(open) => open || close()} title="Add New Customer" size="large">
      <NewCustomerForm name={name ?? ''} isTyped={isTyped} onClose={close} onCreated={onCreated} />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Leave without saving?"
        description="Your changes haven't been saved."
        confirmLabel="Leave"
        cancelLabel="Keep editing"
        onConfirm={() => {
          setAsking(false);
          onClose();
        }}
      />
    </Sheet>
  );
}

interface NewCustomerFormProps {
  name: string;
  /** Set by the form: whether there is anything to lose. */
  isTyped: RefObject<(() => boolean) | null>;
  onClose: () => void;
  onCreated: (id: string) => void;
}

function NewCustomerForm({ name, isTyped, onClose, onCreated }: NewCustomerFormProps) {
  const create = useCreateCustomer();
  const [id] = useState(newId);
  const editor = useRecordForm({
    definition: customerForm,
    initial: { name },
    person: useMe().user.id,
    part: '#customer',
    save: (customer) => create.mutateAsync({ id, ...customer }),
    onSaved: () => onCreated(id),
  });
  useImperativeHandle(isTyped, () => editor.isDirty, [editor.isDirty]);
  return (
    <RecordForm
      editor={editor}
      what="this customer"
      frame="panel"
      actions={
        <FormActions cancel={<Button onClick={onClose}>Cancel</Button>} saving={editor.saving} label="Add Customer" savingLabel="Adding…" />
      }
    >
      <CustomerFields editor={editor} />
    </RecordForm>
  );
}
