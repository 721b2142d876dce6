import type { CustomerRow } from '@callout/contract/customers';
import { formatCustomerName } from '@callout/domain/customers/customer';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { getReadErrorMessage } from '../../lib/error-messages.ts';
import { OfflineSearchNote } from '../../lib/query-view.tsx';
import { Button } from '../../ui/button.tsx';
import { useDebouncedValue } from '../../ui/debounced-search-field.tsx';
import { FieldError, useFieldIds } from '../../ui/field.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { FINE_POINTER_QUERY } from '../../ui/use-browser-state.ts';
import { useLazyModule, usePrefetch } from '../../ui/use-lazy-module.ts';
import { customerListFilter } from './customer-list-filter.ts';
import { customerListQueryOptions, customerQueryOptions, findCachedCustomer } from './customers.api.ts';

/** On phones, focusing a field opens the keyboard. */
const canFocusField = () => window.matchMedia(FINE_POINTER_QUERY).matches;

const SEARCH_DEBOUNCE_MS = 250;
const MAX_RESULTS = 6;

interface CustomerPickerProps {
  /** Id of the selected customer; empty if none is selected. */
  customerId: string;
  onPick: (id: string) => void;
  newCustomer: Pick<NewCustomerSheetState, 'open' | 'isLoading'>;
  /** True if the URL sets the customer. The user then can't choose another customer. */
  isLocked: boolean;
  error: string | undefined;
}

export function CustomerPicker({ customerId, onPick, isLocked, ...search }: CustomerPickerProps) {
  if (customerId) return <SelectedCustomer id={customerId} onChange={isLocked ? undefined : () => onPick('')} />;
  return <CustomerSearch onPick={onPick} {...search} />;
}

/** Searches active customers by name, email or phone. Enter picks the first result. */
function CustomerSearch({ onPick, newCustomer, error }: Pick<CustomerPickerProps, 'onPick' | 'newCustomer' | 'error'>) {
  const [typed, setTyped] = useState('');
  const { id } = useFieldIds(undefined, undefined, error);
  const picker = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (canFocusField()) picker.current?.querySelector('input')?.focus();
  }, []);
  const term = typed.trim();
  const search = useDebouncedValue(term, SEARCH_DEBOUNCE_MS);
  const list = useInfiniteQuery(customerListQueryOptions(customerListFilter.fromParams({ search, status: 'active' })));
  const rows = list.data?.pages[0]?.rows ?? [];
  const pickFirst = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Without this, Enter would submit the whole form.
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
        <p className="mt-2 text-base text-ink-2">{getReadErrorMessage(list.error)}</p>
      ) : (
        <>
          <OfflineSearchNote query={list} className="mt-2" />
          <CustomerResults rows={rows} isFound={!list.data || rows.length > 0} onPick={onPick} />
        </>
      )}
      <Button className="mt-2" busy={newCustomer.isLoading} onClick={() => newCustomer.open(term)}>
        {!newCustomer.isLoading && <UserPlus aria-hidden="true" />}
        New Customer
      </Button>
      {error ? <FieldError id={id} error={error} /> : <p className="mt-1.5 text-sm text-ink-3">Customer is required</p>}
    </div>
  );
}

function CustomerResults({ rows, isFound, onPick }: { rows: readonly CustomerRow[]; isFound: boolean; onPick: (id: string) => void }) {
  if (!isFound) return <p className="mt-2 text-base text-ink-2">No customers found</p>;
  return (
    <ul aria-label="Customers" className="mt-2 divide-y rounded-control ring-1 ring-line ring-inset">
      {rows.slice(0, MAX_RESULTS).map((customer) => (
        <li key={customer.id}>
          <button
            type="button"
            onClick={() => onPick(customer.id)}
            className="flex min-h-11 w-full flex-wrap items-center justify-between gap-x-3 rounded-control px-3 py-1.5 text-left text-base hover:bg-sunken"
          >
            <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{formatCustomerName(customer)}</span>
            <span className="min-w-0 text-sm text-ink-3 [overflow-wrap:anywhere]">{formatCustomerDetail(customer)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const formatCustomerDetail = ({ company_name: company, name, phone }: CustomerRow) => (company ? `${name} · ${phone}` : phone);

function SelectedCustomer({ id, onChange }: { id: string; onChange: (() => void) | undefined }) {
  const queryClient = useQueryClient();
  const { data } = useQuery(customerQueryOptions(id));
  const customer = data ?? findCachedCustomer(queryClient, id);
  return (
    <div className="flex min-w-0 items-center justify-between gap-3 rounded-control bg-sunken px-3.5 py-2.5 sm:col-span-6">
      <div className="min-w-0">
        <p className="text-sm text-ink-3">Customer</p>
        <p className="truncate text-base font-medium">{customer ? formatCustomerName(customer) : 'Loading...'}</p>
        {customer?.status === 'inactive' && <p className="text-sm text-warn-ink">This customer is inactive.</p>}
        {customer && <p className="truncate text-sm text-ink-2">{`${customer.phone} · ${customer.address}`}</p>}
      </div>
      {onChange && <Button onClick={onChange}>Change</Button>}
    </div>
  );
}

const loadSheet = () => import('./new-customer-sheet.tsx');

/**
 * Manages the sheet for a new customer, prefilled with the search term. Adding the customer moves the focus to `nextField` of the page's
 * form. Render `sheet` outside that form: forms can't nest.
 */
export function useNewCustomerSheet(onCreated: (id: string) => void, nextField: string) {
  const [name, setName] = useState<string>();
  const close = () => setName(undefined);
  const module = useLazyModule(loadSheet, name !== undefined, close);
  usePrefetch(loadSheet);
  const isCreated = useRef(false);
  const selectAndClose = (id: string) => {
    isCreated.current = true;
    onCreated(id);
    close();
  };
  return {
    open: (prefilledName: string) => {
      isCreated.current = false;
      setName(prefilledName);
    },
    isLoading: name !== undefined && !module,
    sheet: module && (
      <module.NewCustomerSheet
        name={name}
        onClose={close}
        onCreated={selectAndClose}
        findReturnFocus={() => (isCreated.current && canFocusField() ? document.querySelector<HTMLElement>(`[name=${nextField}]`) : null)}
      />
    ),
  };
}

type NewCustomerSheetState = ReturnType<typeof useNewCustomerSheet>;
