import type { CustomerRow } from '@callout/contract/customers';
import { formatCustomerName } from '@callout/domain/customers/customer';
import { useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type FieldValues, type Path, type PathValue, type UseFormReturn, useWatch } from 'react-hook-form';
import { getReadErrorMessage, hasErrorCode } from '../../lib/error-messages.ts';
import { OfflineSearchNote } from '../../lib/query-view.tsx';
import { Button } from '../../ui/button.tsx';
import { useDebouncedValue } from '../../ui/debounced-search-field.tsx';
import { FieldError, useFieldIds } from '../../ui/field.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { FINE_POINTER_QUERY } from '../../ui/use-browser-state.ts';
import { useLazyModule, usePrefetch } from '../../ui/use-lazy-module.ts';
import { customerListFilter } from './customer-list-filter.ts';
import { findCachedCustomer, useCustomer, useCustomers } from './customers.api.ts';

/** On phones, focusing a field opens the keyboard. */
const canFocusField = () => window.matchMedia(FINE_POINTER_QUERY).matches;

const loadSheet = () => import('./new-customer-sheet.tsx');

const SEARCH_DEBOUNCE_MS = 250;
const MAX_RESULTS = 6;

interface CustomerPickerOptions {
  /** True if the URL sets the customer. The user then can't choose another one, unless that customer is deleted. */
  isLocked?: boolean;
  /** True for a stored record that has lost its customer. It can be saved without one. */
  isOptional?: boolean;
}

/**
 * Picks the customer of a form for jobs or quotes. Picking one moves the focus to the title. Render `sheet` outside the form: React events
 * from its own form would bubble up and submit the page's.
 */
export function useCustomerPicker<Values extends FieldValues & { customer_id: string; title: string }, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  options: CustomerPickerOptions = {},
) {
  const [name, title] = ['customer_id' as Path<Values>, 'title' as Path<Values>];
  const customerId: string = useWatch({ control: form.control, name });
  const pick = (id: string) => {
    form.setValue(name, id as PathValue<Values, Path<Values>>, { shouldDirty: true });
    form.clearErrors(name);
    // The focused search field disappears.
    if (id !== '' && canFocusField()) form.setFocus(title);
  };
  const { sheet, ...newCustomer } = useNewCustomerSheet(pick, 'title');
  const error = form.getFieldState(name, form.formState).error?.message;
  const picker = (
    <>
      {/* Mounted, so that the server's error is shown here and not as a toast. */}
      <input type="hidden" {...form.register(name)} />
      <CustomerPicker customerId={customerId} onPick={pick} newCustomer={newCustomer} error={error} {...options} />
    </>
  );
  return { customerId, picker, sheet };
}

interface CustomerPickerProps extends CustomerPickerOptions {
  /** Id of the selected customer; empty if none is selected. */
  customerId: string;
  onPick: (id: string) => void;
  newCustomer: Pick<NewCustomerSheetState, 'open' | 'isLoading'>;
  error: string | undefined;
}

function CustomerPicker({ customerId, onPick, isLocked = false, error, ...search }: CustomerPickerProps) {
  const queryClient = useQueryClient();
  const query = useCustomer(customerId, { enabled: customerId !== '' });
  const isDeleted = hasErrorCode(query.error, 'NOT_FOUND');
  if (customerId === '' || isDeleted || error !== undefined)
    return <CustomerSearch onPick={onPick} error={error ?? (isDeleted ? DELETED_CUSTOMER_ERROR : undefined)} {...search} />;
  const customer = query.data ?? findCachedCustomer(queryClient, customerId);
  return <SelectedCustomer customer={customer} onChange={isLocked ? undefined : () => onPick('')} />;
}

const DELETED_CUSTOMER_ERROR = 'This customer no longer exists. Please choose another one.';

type CustomerSearchProps = Pick<CustomerPickerProps, 'onPick' | 'newCustomer' | 'error' | 'isOptional'>;

/** Searches active customers by name, email or phone. Enter picks the first result. */
function CustomerSearch({ onPick, newCustomer, error, isOptional = false }: CustomerSearchProps) {
  const [typed, setTyped] = useState('');
  usePrefetch(loadSheet);
  const { id } = useFieldIds(undefined, undefined, error);
  const picker = useRef<HTMLDivElement>(null);
  const shouldFocus = !isOptional || error !== undefined;
  useEffect(() => {
    if (shouldFocus && canFocusField()) picker.current?.querySelector('input')?.focus();
  }, [shouldFocus]);
  const term = typed.trim();
  const search = useDebouncedValue(term, SEARCH_DEBOUNCE_MS);
  const list = useCustomers(customerListFilter.fromParams({ search, status: 'active' }));
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
      {error ? (
        <FieldError id={id} error={error} />
      ) : (
        <p className="mt-1.5 text-sm text-ink-3">{isOptional ? 'The customer was deleted.' : 'Customer is required'}</p>
      )}
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

interface SelectedCustomerProps {
  customer: Pick<CustomerRow, 'name' | 'company_name' | 'status' | 'phone' | 'address'> | undefined;
  onChange: (() => void) | undefined;
}

function SelectedCustomer({ customer, onChange }: SelectedCustomerProps) {
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

/** Manages the sheet for a new customer, prefilled with the search term. Adding the customer moves the focus to `nextField` of the form. */
function useNewCustomerSheet(onCreated: (id: string) => void, nextField: string) {
  const [name, setName] = useState<string>();
  const close = () => setName(undefined);
  const module = useLazyModule(loadSheet, name !== undefined, close);
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
